/** The user's decisions on unknown outcomes: match a candidate, dismiss, give back. Each needs the symbol typed. */
import { denied, done, failed, type Failure, type Result } from '../../../src-shared/ipc/failures.ts';
import { acknowledgementOf, type IntentRecord } from '../../../src-shared/ipc/orders.ts';
import { ownedIds } from '../journal/owned-ids.ts';
import type { Journal } from '../journal/journal.ts';
import type { Step } from '../journal/lines.ts';

export interface ManualDecisions {
  /** Matches the intent with one of the candidates of its newest rounds. */
  match(intentId: string, orderId: string, typed: string): Promise<Result<IntentRecord>>;
  /** Gives back an inferred match: the outcome is unknown again, and that order is no candidate any more. */
  unmatch(intentId: string, typed: string): Promise<Result<IntentRecord>>;
  /** Dismisses an unknown outcome that the user checked elsewhere. */
  dismiss(intentId: string, typed: string): Promise<Result<IntentRecord>>;
  /** Acknowledges a damaged journal line, which then holds no orders. */
  acknowledge(damageId: string, typed: string): Promise<Result<null>>;
}

const UNWRITTEN: Failure = {
  kind: 'file',
  message: 'The journal could not be written. Nothing has changed.',
  next: 'Free up disk space, then try again.',
};

export interface ManualPorts {
  readonly journal: Journal;
  readonly clock: { now(): number };
  readonly step: (event: Step['event'], text: string, extra?: Partial<Step>) => Step;
  /** Writes the step and reports the change; null if the journal write fails. */
  readonly writeEnd: (intentId: string, end: Step) => Promise<IntentRecord | null>;
}

/** The window showed an older state; Activity shows the current one. */
const outdated = (message: string): Failure => denied(message, 'Check Activity.', 'order');

function blockReason(record: IntentRecord | null, typed: string, doing: string): Failure | null {
  if (record?.state !== 'unknown') return outdated(`Only an order with an unknown outcome can be ${doing}.`);
  return mistyped(record, typed);
}

function mistyped(record: IntentRecord, typed: string): Failure | null {
  if (typed !== record.symbolId)
    return denied(`“${typed}” is not ${record.symbolId}.`, `Type ${record.symbolId} exactly.`, 'typed');
  return null;
}

export function createManualDecisions({ journal, clock, step, writeEnd }: ManualPorts): ManualDecisions {
  async function save(intentId: string, end: Step): Promise<Result<IntentRecord>> {
    const before = journal.get(intentId)?.state;
    const record = await writeEnd(intentId, end);
    if (record !== null) return done(record);
    return journal.get(intentId)?.state === before
      ? failed(UNWRITTEN)
      : failed(outdated('Its outcome has become known in the meantime.'));
  }

  return {
    async match(intentId, orderId, typed) {
      const record = journal.get(intentId);
      const blocked = blockReason(record, typed, 'matched');
      if (record === null || blocked !== null)
        return failed(blocked ?? outdated('This order is not in the journal.'));
      const fits = record.finding?.checks.some((check) =>
        check.candidates.some((one) => one.orderId === orderId),
      );
      if (fits !== true)
        return failed(
          denied(`Order ${orderId} does not match this request.`, 'Choose a listed order.', 'order'),
        );
      if (ownedIds(journal.list(record.connectionId), record).has(orderId))
        return failed(
          denied(`Order ${orderId} already belongs to another request.`, 'Choose another order.', 'order'),
        );
      return save(intentId, step('claim', `Matched by you with order ${orderId}`, { orderId }));
    },

    async unmatch(intentId, typed) {
      const record = journal.get(intentId);
      if (record?.state !== 'landed' || record.orderId === null)
        return failed(outdated('Only a match made by Ballast can be undone.'));
      const blocked = mistyped(record, typed);
      if (blocked !== null) return failed(blocked);
      const { orderId } = record;
      return save(intentId, step('disown', `Match with order ${orderId} undone by you`, { orderId }));
    },

    async dismiss(intentId, typed) {
      const blocked = blockReason(journal.get(intentId), typed, 'dismissed');
      if (blocked !== null) return failed(blocked);
      return save(intentId, step('close', 'Dismissed by you'));
    },

    async acknowledge(damageId, typed) {
      const found = journal.allDamage().find((one) => one.id === damageId);
      if (found === undefined) return failed(outdated('This damaged line was already acknowledged.'));
      const word = acknowledgementOf(found);
      if (typed !== word)
        return failed(denied(`“${typed}” is not ${word}.`, `Type ${word} exactly.`, 'typed'));
      try {
        await journal.acknowledge(damageId, clock.now());
        return done(null);
      } catch {
        return failed(UNWRITTEN);
      }
    },
  };
}
