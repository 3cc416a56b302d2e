/** What the person settles: choosing among the orders that fit, or closing the question. The symbol is typed. */
import { denied, done, failed, type Failure, type Result } from '../../../src-shared/ipc/failures.ts';
import { damageWord, type IntentRecord } from '../../../src-shared/ipc/orders.ts';
import { claimedIds } from '../journal/owned-ids.ts';
import type { Journal } from '../journal/journal.ts';
import type { Step } from '../journal/lines.ts';

export interface ByHand {
  /** “This is mine”: one of the orders the newest rounds found is taken for the intent’s. */
  claim(intentId: string, orderId: string, typed: string): Promise<Result<IntentRecord>>;
  /** “Not mine”: the order it was inferred from is another one’s, so its outcome is unknown again. */
  disown(intentId: string, typed: string): Promise<Result<IntentRecord>>;
  /** The person looked for it by hand. */
  closeUnknown(intentId: string, typed: string): Promise<Result<IntentRecord>>;
  /** The person knows of a damaged line, and whether its order was sent: it holds nothing any more. */
  acknowledge(damageId: string, typed: string): Promise<Result<null>>;
}

const UNWRITTEN: Failure = {
  kind: 'file',
  message: 'The journal could not be written, so nothing has changed.',
  next: 'Free some disk space and try again.',
};

export interface ByHandPorts {
  readonly journal: Journal;
  readonly clock: { now(): number };
  readonly step: (event: Step['event'], text: string, extra?: Partial<Step>) => Step;
  /** Writes and announces; null when the journal would not take it. */
  readonly settle: (intentId: string, end: Step) => Promise<IntentRecord | null>;
}

function refusal(record: IntentRecord | null, typed: string, doing: string): Failure | null {
  if (record?.state !== 'unknown')
    return denied(`Only an order whose outcome is unknown can be ${doing}.`, 'Look at Activity.', 'order');
  return mistyped(record, typed);
}

function mistyped(record: IntentRecord, typed: string): Failure | null {
  if (typed !== record.symbolId)
    return denied(`“${typed}” is not ${record.symbolId}.`, `Type ${record.symbolId} exactly.`, 'typed');
  return null;
}

export function createByHand({ journal, clock, step, settle }: ByHandPorts): ByHand {
  async function settled(intentId: string, end: Step): Promise<Result<IntentRecord>> {
    const before = journal.get(intentId)?.state;
    const record = await settle(intentId, end);
    if (record !== null) return done(record);
    return journal.get(intentId)?.state === before
      ? failed(UNWRITTEN)
      : failed(denied('It was settled in the meantime.', 'Look at Activity.', 'order'));
  }

  return {
    async claim(intentId, orderId, typed) {
      const record = journal.get(intentId);
      const refused = refusal(record, typed, 'claimed');
      if (record === null || refused !== null)
        return failed(refused ?? denied('There is no such order.', 'Look at Activity.', 'order'));
      const fits = record.finding?.checks.some((check) =>
        check.candidates.some((one) => one.orderId === orderId),
      );
      if (fits !== true)
        return failed(
          denied(`Order ${orderId} was not found to fit.`, 'Choose one of the orders listed.', 'order'),
        );
      if (claimedIds(journal.list(record.connectionId), record).has(orderId))
        return failed(
          denied(`Order ${orderId} belongs to another request already.`, 'Choose another one.', 'order'),
        );
      return settled(intentId, step('claim', `You chose order ${orderId}`, { orderId }));
    },

    async disown(intentId, typed) {
      const record = journal.get(intentId);
      if (record?.state !== 'landed' || record.orderId === null)
        return failed(
          denied('Only an order that Ballast matched can be given back.', 'Look at Activity.', 'order'),
        );
      const refused = mistyped(record, typed);
      if (refused !== null) return failed(refused);
      const { orderId } = record;
      return settled(intentId, step('disown', `Order ${orderId} is not this one, by you`, { orderId }));
    },

    async closeUnknown(intentId, typed) {
      const refused = refusal(journal.get(intentId), typed, 'closed');
      if (refused !== null) return failed(refused);
      return settled(intentId, step('close', 'Closed by you'));
    },

    async acknowledge(damageId, typed) {
      const found = journal.everyDamage().find((one) => one.id === damageId);
      if (found === undefined)
        return failed(denied('There is no such damage.', 'Look at Activity.', 'order'));
      const word = damageWord(found);
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
