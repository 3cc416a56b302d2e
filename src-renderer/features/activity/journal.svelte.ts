import type { IntentEvent, IntentRecord } from '../../../src-shared/contract/orders.ts';
import { isOpenQuestion, type OrderState } from '../../../src-shared/domain/order-life.ts';
import { keyed, type Keyed } from '../../components/row-keys.ts';
import type { Intents } from '../../state/intents.svelte.ts';

export type JournalRow = Keyed<IntentRecord>;
export const FILTERS = ['all', 'unknown', 'accepted', 'refused', 'not-sent'] as const;
export type Filter = (typeof FILTERS)[number];

const STATES: Readonly<Record<Filter, readonly OrderState[] | null>> = {
  all: null,
  unknown: ['sending', 'unknown'],
  accepted: ['accepted', 'landed', 'claimed'],
  refused: ['rejected', 'denied'],
  'not-sent': ['recorded', 'not-sent', 'closed'],
};

/** What the journal shows: every intent, the open questions first. */
export class Journal {
  filter = $state<Filter>('all');
  readonly #intents: Intents;

  constructor(intents: Intents) {
    this.#intents = intents;
  }

  readonly rows: readonly JournalRow[] = $derived.by(() =>
    keyed(
      this.#intents.list.filter((one) => STATES[this.filter]?.includes(one.state) ?? true),
      (one) => one.id,
    ),
  );

  count(filter: Filter): number {
    return this.#intents.list.filter((one) => STATES[filter]?.includes(one.state) ?? true).length;
  }
}

/** Sorts open questions above everything, whatever else the table is sorted by time. */
export const urgency = (record: IntentRecord): number =>
  record.createdAt + (isOpenQuestion(record.state) ? 1e15 : 0);

/** From the first byte to the answer, or to giving up on one, ms; null while it is on its way or never left. */
export function answeredAfter(record: IntentRecord): number | null {
  const sent = record.events.find((one) => one.state === 'sending');
  const settled = record.events.find(
    (one) => sent !== undefined && one.at >= sent.at && !['recorded', 'sending'].includes(one.state),
  );
  return sent === undefined || settled === undefined ? null : settled.at - sent.at;
}

/** The newest failure told about it: why it was refused, not sent or lost. */
export const lastFailure = (record: IntentRecord): IntentEvent['failure'] =>
  record.events.findLast((one) => one.failure !== undefined)?.failure;
