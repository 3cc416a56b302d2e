/** Records a send in the journal: before its first byte, and its outcome. */
import { errorCode } from '../../../src-files/error-code.ts';
import { blockedFailure, done, failed, type Failure, type Result } from '../../../src-shared/ipc/failures.ts';
import type { BatchPlace, IntentRecord, OrderIntent } from '../../../src-shared/ipc/orders.ts';
import { ENDPOINTS } from '../../../src-shared/exchange-api/endpoints.ts';
import type { OrderEndpoint, PostOutcome } from '../../exchange/outcome.ts';
import type { OrderConnection, OrderPorts } from './ports.ts';
import { OrderTakenError, type IntentWrite } from '../journal/journal.ts';
import type { IntentHead, Step } from '../journal/lines.ts';

export interface NewIntent {
  readonly id: string;
  readonly head: IntentHead;
}

type SendPorts = Pick<OrderPorts, 'journal' | 'lockFailure' | 'clock' | 'changed'>;

export class JournaledSend {
  readonly #ports: SendPorts;

  constructor(ports: SendPorts) {
    this.#ports = ports;
  }

  step(event: Step['event'], text: string, extra: Partial<Step> = {}): Step {
    const { clock } = this.#ports;
    return { event, text, at: clock.now(), mono: clock.mono(), ...extra };
  }

  /** Writes all intents as `sending` in one synced append. On a failure nothing may be sent. */
  record(intents: readonly NewIntent[]): Promise<Result<readonly IntentRecord[]>> {
    // Both lines in one synced write, so that a record without `send` was certainly not sent.
    return this.#write(intents, this.step('send', 'Sending'));
  }

  /** Writes all intents as not sent, and why. */
  leaveOut(intents: readonly NewIntent[], why: string): Promise<Result<readonly IntentRecord[]>> {
    return this.#write(intents, this.step('abandon', why));
  }

  async #write(intents: readonly NewIntent[], last: Step): Promise<Result<readonly IntentRecord[]>> {
    const steps = [this.step('record', 'Recorded in the journal'), last];
    const writes = intents.map(({ id, head }): IntentWrite => ({ intentId: id, steps, head }));
    try {
      const records = await this.#ports.journal.writeTogether(writes);
      this.#report(records);
      return done(records);
    } catch (error) {
      return failed({
        kind: 'file',
        message: `Nothing was sent: the journal could not be written (${errorCode(error) || 'unknown error'}).`,
        next: 'Free up disk space or check the folder’s permissions, then review the order again.',
      });
    }
  }

  /**
   * Makes the one POST, unless trading was locked or too much time passed meanwhile. A thrown error is rethrown after
   * writing the intents as unknown: the bytes may have left.
   */
  async post(
    connection: OrderConnection,
    ids: readonly string[],
    endpoint: OrderEndpoint,
    body: string,
    kind: OrderIntent['kind'],
  ): Promise<PostOutcome> {
    const failure = this.#ports.lockFailure() ?? this.#lateFailure(ids);
    if (failure !== null) return { outcome: 'not-sent', failure };
    try {
      return await connection.send(endpoint, body, kind);
    } catch (error) {
      await this.end(ids, this.step('lose', SEND_DEFECT.message, { failure: SEND_DEFECT }));
      throw error;
    }
  }

  /** Writes the outcome. If the write fails the intents are unknown at once, as after a restart. */
  async end(ids: readonly string[], last: Step): Promise<readonly IntentRecord[]> {
    const { journal } = this.#ports;
    let records: readonly IntentRecord[];
    try {
      records = await journal.writeTogether(ids.map((intentId) => ({ intentId, steps: [last] })));
    } catch (error) {
      if (error instanceof OrderTakenError) return this.end(ids, this.#duplicateIdStep(error.orderId));
      const code = errorCode(error) || 'unknown error';
      records = ids.map((id) => journal.defer(id, this.#unwrittenStep(last, code)));
    }
    this.#report(records);
    return records;
  }

  /** Returns the step of a POST's outcome for one order. */
  outcomeStep(outcome: PostOutcome): Step {
    switch (outcome.outcome) {
      case 'accepted': {
        const orderId = String(outcome.data);
        return this.step('accept', `Accepted as order ${orderId}`, { orderId });
      }
      case 'rejected': {
        const { code, failure } = outcome;
        return this.step('reject', failure.message, { code, failure });
      }
      case 'not-sent':
        return this.step('fail-before-send', outcome.failure.message, { failure: outcome.failure });
      case 'unknown':
        return this.step('lose', outcome.failure.message, { failure: outcome.failure });
    }
  }

  /** Returns the failure of an order that the disk held up, or sleep: prices have moved, and nobody expects it any more. */
  #lateFailure([first = '']: readonly string[]): Failure | null {
    const { clock, journal } = this.#ports;
    const now = clock.now();
    const waited = now - (journal.get(first)?.createdAt ?? now);
    if (waited <= LATEST_MS) return null;
    return blockedFailure(
      `The order was not sent: saving it to the journal took ${Math.round(waited / 1000)} s.`,
      'The computer slept, or the disk of the profile folder is slow. Review the order again.',
      'order',
    );
  }

  #report(records: readonly IntentRecord[]): void {
    for (const record of records) this.#ports.changed(record);
  }

  /** Returns the step for a reply whose order id is taken: unknown, and reconciled like a lost reply. */
  #duplicateIdStep(orderId: string): Step {
    const failure: Failure = {
      kind: 'unknown',
      message: `The exchange replied with order ID ${orderId}, which belongs to another order.`,
      next: SEARCHING,
    };
    return this.step('lose', failure.message, { failure });
  }

  /** Returns the step for an outcome that could not be written: unknown, since a restart could not know it. */
  #unwrittenStep(end: Step, code: string): Step {
    if (end.event === 'abandon') return end;
    const failure: Failure = {
      kind: 'unknown',
      message: `${sentence(end.text)} This could not be saved to the journal (${code}), so the outcome counts as unknown.`,
      next: `Free up disk space. ${SEARCHING}`,
    };
    return this.step('lose', failure.message, { failure });
  }
}

/** Longest wall time from recording an order to sending it. */
const LATEST_MS = 15_000;

const SEARCHING = 'Do not send it again; Ballast is searching open orders and order history for it.';

const SEND_DEFECT: Failure = {
  kind: 'unknown',
  message: 'Ballast failed while sending. The order may or may not have been placed.',
  next: SEARCHING,
};

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Returns the journal head of an intent: everything reconciliation needs. */
export const headOf = (
  { connectionId, kind, request }: OrderIntent,
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
