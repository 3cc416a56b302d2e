/** Records a send in the journal: before its first byte, and its outcome. */
import { failed, type Failure, type Result } from '../../../src-shared/ipc/failures.ts';
import type { BatchPlace, IntentRecord, OrderIntent } from '../../../src-shared/ipc/orders.ts';
import { ENDPOINTS } from '../../../src-shared/exchange-api/endpoints.ts';
import type { OrderRequest } from '../../../src-shared/exchange-api/order-request.ts';
import type { OrderEndpoint, PostOutcome } from '../../exchange/outcome.ts';
import type { OrderConnection, OrderPorts } from './ports.ts';
import { OrderTakenError, type IntentWrite } from '../journal/journal.ts';
import type { IntentHead, Step } from '../journal/lines.ts';

export interface JournaledSend {
  readonly step: (event: Step['event'], text: string, extra?: Partial<Step>) => Step;
  /** Writes all intents as `sending` in one synced append. On a failure nothing may be sent. */
  record(intents: readonly NewIntent[]): Promise<Result<readonly IntentRecord[]>>;
  /** Makes the one POST. A thrown error is rethrown after writing the intents as unknown: the bytes may have left. */
  post(
    connection: OrderConnection,
    ids: readonly string[],
    endpoint: OrderEndpoint,
    body: string,
    kind: OrderIntent['kind'],
  ): Promise<PostOutcome>;
  /** Writes the outcome. If the write fails the intents are unknown at once, as after a restart. */
  end(ids: readonly string[], end: Step): Promise<readonly IntentRecord[]>;
}

export interface NewIntent {
  readonly id: string;
  readonly head: IntentHead;
}

export function createJournaledSend({
  journal,
  clock,
  changed,
}: Pick<OrderPorts, 'journal' | 'clock' | 'changed'>): JournaledSend {
  const step: JournaledSend['step'] = (event, text, extra = {}) => ({
    event,
    text,
    at: clock.now(),
    mono: clock.mono(),
    ...extra,
  });

  return {
    step,
    async record(intents) {
      // Both lines in one synced write, so that a record without `send` was certainly not sent.
      const steps = [step('record', 'Recorded in the journal'), step('send', 'Sending')];
      const writes = intents.map(({ id, head }): IntentWrite => ({ intentId: id, steps, head }));
      try {
        const records = await journal.writeTogether(writes);
        for (const record of records) changed(record);
        return { ok: true, data: records };
      } catch (error) {
        return failed({
          kind: 'file',
          message: `Nothing was sent: the journal could not be written (${errorCode(error)}).`,
          next: 'Free up disk space or check the folder’s permissions, then review the order again.',
        });
      }
    },

    async post(connection, ids, endpoint, body, kind) {
      try {
        return await connection.send(endpoint, body, kind);
      } catch (error) {
        await end(ids, step('lose', SEND_DEFECT.message, { failure: SEND_DEFECT }));
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
      if (error instanceof OrderTakenError) return end(ids, duplicateIdStep(error.orderId));
      records = ids.map((id) => journal.defer(id, unwrittenStep(last, errorCode(error))));
    }
    for (const record of records) changed(record);
    return records;
  }

  /** Returns the step for a reply whose order id is taken: unknown, and reconciled like a lost reply. */
  function duplicateIdStep(orderId: string): Step {
    const failure: Failure = {
      kind: 'unknown',
      message: `The exchange replied with order ID ${orderId}, which belongs to another order.`,
      next: 'Do not send it again; Ballast is searching open orders and order history for it.',
    };
    return step('lose', failure.message, { failure });
  }

  /** Returns the step for an outcome that could not be written: unknown, since a restart could not know it. */
  function unwrittenStep(end: Step, code: string): Step {
    if (end.event === 'abandon') return end;
    const failure: Failure = {
      kind: 'unknown',
      message: `${sentence(end.text)} This could not be saved to the journal (${code}), so the outcome counts as unknown.`,
      next: 'Free up disk space. Do not send it again; Ballast is searching open orders and order history for it.',
    };
    return step('lose', failure.message, { failure });
  }
}

const SEND_DEFECT: Failure = {
  kind: 'unknown',
  message: 'Ballast failed while sending. The order may or may not have been placed.',
  next: 'Do not send it again; Ballast is searching open orders and order history for it.',
};

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Returns the journal step of a POST outcome for one order. */
export function outcomeStep(journaled: Pick<JournaledSend, 'step'>, outcome: PostOutcome): Step {
  switch (outcome.outcome) {
    case 'accepted':
      return journaled.step('accept', `Accepted as order ${String(outcome.data)}`, {
        orderId: String(outcome.data),
      });
    case 'rejected':
      return journaled.step('reject', outcome.failure.message, {
        code: outcome.code,
        failure: outcome.failure,
      });
    case 'not-sent':
      return journaled.step('fail-before-send', outcome.failure.message, { failure: outcome.failure });
    case 'unknown':
      return journaled.step('lose', outcome.failure.message, { failure: outcome.failure });
  }
}

/** Returns the journal head of an intent: everything reconciliation needs. */
export const headOf = (
  { connectionId, kind, request }: Pick<OrderIntent, 'connectionId' | 'kind'> & { request: OrderRequest },
  body: string,
  connection: OrderConnection,
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

/** Returns the system code of a file error (`ENOSPC`), never its message, which may contain a path. */
const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown error';
