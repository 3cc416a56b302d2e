/** The user's decisions on unknown outcomes: match a candidate, dismiss, undo a match. Each needs the symbol typed. */
import {
  blocked,
  blockedFailure,
  done,
  failed,
  type Failure,
  type Result,
} from '../../../src-shared/ipc/failures.ts';
import { acknowledgementOf, type IntentRecord } from '../../../src-shared/ipc/orders.ts';
import { OrderTakenError } from '../journal/journal.ts';
import type { Step } from '../journal/lines.ts';
import type { JournaledSend } from '../send/journaled-send.ts';
import type { OrderPorts } from '../send/ports.ts';

export class ManualDecisions {
  readonly #ports: Pick<OrderPorts, 'journal' | 'clock' | 'changed'>;
  readonly #journaled: JournaledSend;

  constructor(ports: Pick<OrderPorts, 'journal' | 'clock' | 'changed'>, journaled: JournaledSend) {
    this.#ports = ports;
    this.#journaled = journaled;
  }

  /** Matches the intent with one of the candidates of its newest rounds. */
  async match(intentId: string, orderId: string, typed: string): Promise<Result<IntentRecord>> {
    const { journal } = this.#ports;
    const record = journal.get(intentId);
    const reason = blockReason(record, typed, 'matched');
    if (reason !== null) return failed(reason);
    const isCandidate = record?.finding?.checks.some((check) =>
      check.candidates.some((one) => one.orderId === orderId),
    );
    if (isCandidate !== true || record?.disowned?.includes(orderId) === true)
      return blocked(`Order ${orderId} does not match this request.`, 'Choose a listed order.', 'order');
    const text = `Matched by you with order ${orderId}`;
    return this.#save(intentId, this.#journaled.step('claim', text, { orderId }));
  }

  /** Undoes an inferred match: the outcome is unknown again, and that order is no candidate any more. */
  async unmatch(intentId: string, typed: string): Promise<Result<IntentRecord>> {
    const record = this.#ports.journal.get(intentId);
    if (record?.state !== 'matched' || record.orderId === null)
      return failed(outdated('Only a match made by Ballast can be undone.'));
    const reason = mistyped(record, typed);
    if (reason !== null) return failed(reason);
    const { orderId } = record;
    const text = `Match with order ${orderId} undone by you`;
    return this.#save(intentId, this.#journaled.step('disown', text, { orderId }));
  }

  /** Dismisses an unknown outcome that the user checked elsewhere. */
  async dismiss(intentId: string, typed: string): Promise<Result<IntentRecord>> {
    const reason = blockReason(this.#ports.journal.get(intentId), typed, 'dismissed');
    if (reason !== null) return failed(reason);
    return this.#save(intentId, this.#journaled.step('close', 'Dismissed by you'));
  }

  /** Acknowledges a damaged journal line, which then holds no orders. */
  async acknowledge(damageId: string, typed: string): Promise<Result<null>> {
    const { journal, clock } = this.#ports;
    const found = journal.allDamage().find((one) => one.id === damageId);
    if (found === undefined) return failed(outdated('This damaged line was already acknowledged.'));
    const wanted = acknowledgementOf(found);
    if (typed !== wanted) return blocked(`“${typed}” is not ${wanted}.`, `Type ${wanted} exactly.`, 'typed');
    try {
      await journal.acknowledge(damageId, clock.now());
      return done(null);
    } catch {
      return failed(UNWRITTEN);
    }
  }

  async #save(intentId: string, end: Step): Promise<Result<IntentRecord>> {
    const { journal, changed } = this.#ports;
    const before = journal.get(intentId)?.state;
    try {
      const record = await journal.write(intentId, [end]);
      changed(record);
      return done(record);
    } catch (error) {
      if (error instanceof OrderTakenError)
        return blocked(
          `Order ${error.orderId} already belongs to another request.`,
          'Choose another order.',
          'order',
        );
      return journal.get(intentId)?.state === before
        ? failed(UNWRITTEN)
        : failed(outdated('Its outcome has become known in the meantime.'));
    }
  }
}

const UNWRITTEN: Failure = {
  kind: 'file',
  message: 'The journal could not be written. Nothing has changed.',
  next: 'Free up disk space, then try again.',
};

/** The window showed an older state; Activity shows the current one. */
const outdated = (message: string): Failure => blockedFailure(message, 'Check Activity.', 'order');

function blockReason(record: IntentRecord | null, typed: string, doing: string): Failure | null {
  if (record?.state !== 'unknown') return outdated(`Only an order with an unknown outcome can be ${doing}.`);
  return mistyped(record, typed);
}

function mistyped(record: IntentRecord, typed: string): Failure | null {
  if (typed !== record.symbolId)
    return blockedFailure(
      `“${typed}” is not ${record.symbolId}.`,
      `Type ${record.symbolId} exactly.`,
      'typed',
    );
  return null;
}
