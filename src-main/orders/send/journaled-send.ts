/** The journal's side of a send: recorded before the first byte, and how it ended. */
import { failed, type Failure, type Result } from '../../../src-shared/ipc/failures.ts';
import type { BatchPlace, IntentRecord, OrderIntent } from '../../../src-shared/ipc/orders.ts';
import { ENDPOINTS } from '../../../src-shared/exchange-api/endpoints.ts';
import type { OrderRequest } from '../../../src-shared/exchange-api/order-request.ts';
import type { OrderEndpoint, PostOutcome } from '../../exchange/outcome.ts';
import type { DeskConnection, DeskPorts } from './ports.ts';
import { OrderTakenError, type IntentWrite } from '../journal/journal.ts';
import type { IntentHead, Step } from '../journal/lines.ts';

export interface Sending {
  readonly step: (event: Step['event'], text: string, extra?: Partial<Step>) => Step;
  /** All of it on disk in one synced append, marked as being sent; a failure when the disk refused: send nothing. */
  record(intents: readonly NewIntent[]): Promise<Result<readonly IntentRecord[]>>;
  /** The one POST of these. Rethrows a defect once they are written as unknown: the bytes may have left before it. */
  post(
    connection: DeskConnection,
    ids: readonly string[],
    endpoint: OrderEndpoint,
    body: string,
    kind: OrderIntent['kind'],
  ): Promise<PostOutcome>;
  /** Writes how the send of these ended. A disk that refuses leaves them unknown here, as a restart would. */
  end(ids: readonly string[], end: Step): Promise<readonly IntentRecord[]>;
}

export interface NewIntent {
  readonly id: string;
  readonly head: IntentHead;
}

export function createSending({
  journal,
  clock,
  changed,
}: Pick<DeskPorts, 'journal' | 'clock' | 'changed'>): Sending {
  const step: Sending['step'] = (event, text, extra = {}) => ({
    event,
    text,
    at: clock.now(),
    mono: clock.mono(),
    ...extra,
  });

  return {
    step,
    async record(intents) {
      // Both lines in one synced write: a record without `sending` was certainly not sent.
      const steps = [step('record', 'Written to the journal'), step('send', 'Sending')];
      const writes = intents.map(({ id, head }): IntentWrite => ({ intentId: id, steps, head }));
      try {
        const records = await journal.writeTogether(writes);
        for (const record of records) changed(record);
        return { ok: true, data: records };
      } catch (error) {
        return failed({
          kind: 'file',
          message: `The journal could not be written (${errorCode(error)}), so nothing was sent.`,
          next: 'Free some disk space or check the folder’s permissions, then review the order again.',
        });
      }
    },

    async post(connection, ids, endpoint, body, kind) {
      try {
        return await connection.send(endpoint, body, kind);
      } catch (error) {
        await end(ids, step('lose', BROKE.message, { failure: BROKE }));
        throw error;
      }
    },

    end,
  };

  async function end(ids: readonly string[], last: Step): Promise<readonly IntentRecord[]> {
    let records: readonly IntentRecord[];
    try {
      records = await journal.writeTogether(ids.map((intentId) => ({ intentId, steps: [last] })));
    } catch (error) {
      if (error instanceof OrderTakenError) return end(ids, contradiction(error.orderId));
      records = ids.map((id) => journal.owe(id, unwritten(last, errorCode(error))));
    }
    for (const record of records) changed(record);
    return records;
  }

  /** An id cannot be two orders': which of them it is, if any, is found out as for any lost answer. */
  function contradiction(orderId: string): Step {
    const failure: Failure = {
      kind: 'unknown',
      message: `The exchange answered with order ${orderId}, which is another order already.`,
      next: 'Ballast looks for this one in open orders and order history; do not send it again.',
    };
    return step('lose', failure.message, { failure });
  }

  /** What the exchange said is told, but counts for nothing: after a restart nobody would know it. */
  function unwritten(end: Step, code: string): Step {
    if (end.event === 'abandon') return end;
    const failure: Failure = {
      kind: 'unknown',
      message: `${sentence(end.text)} That could not be written to the journal (${code}), so it counts as unknown.`,
      next: 'Free some disk space. Ballast looks for the order in open orders and order history; do not send it again.',
    };
    return step('lose', failure.message, { failure });
  }
}

const BROKE: Failure = {
  kind: 'unknown',
  message: 'Ballast failed while it was sending, so the order may or may not exist.',
  next: 'Ballast looks for it in open orders and order history; do not send it again.',
};

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** How an answer is told in the journal; `orderId` only where one order has an answer of its own. */
export function outcomeStep(sending: Pick<Sending, 'step'>, outcome: PostOutcome): Step {
  switch (outcome.outcome) {
    case 'accepted':
      return sending.step('accept', `Accepted as order ${String(outcome.data)}`, {
        orderId: String(outcome.data),
      });
    case 'rejected':
      return sending.step('reject', outcome.failure.message, {
        code: outcome.code,
        failure: outcome.failure,
      });
    case 'not-sent':
      return sending.step('fail-before-send', outcome.failure.message, { failure: outcome.failure });
    case 'unknown':
      return sending.step('lose', outcome.failure.message, { failure: outcome.failure });
  }
}

/** What the journal has to know of an order to find it again. */
export const headOf = (
  { connectionId, kind, request }: Pick<OrderIntent, 'connectionId' | 'kind'> & { request: OrderRequest },
  body: string,
  connection: DeskConnection,
  endpoint: OrderEndpoint,
  batch?: BatchPlace,
): IntentHead => ({
  connectionId,
  connectionKind: connection.summary.kind,
  account: connection.account(),
  kind,
  symbolId: request.symbolId,
  side: request.side,
  type: request.type,
  path: ENDPOINTS[endpoint].path,
  body,
  knownIds: connection.knownOrderIds(request.symbolId),
  clockOffsetMs: connection.clockOffsetMs(),
  position: connection.position(request.symbolId),
  ...(batch === undefined ? {} : { batch }),
});

/** The system's code of a file error (`ENOSPC`); never its message, which may carry a path. */
const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown error';
