import { isAmbiguous, type IntentEvent, type IntentRecord } from '../../../src-shared/ipc/orders.ts';
import { awaitsOutcome } from '../../../src-shared/domain/reconcile/lifecycle.ts';
import { keyed, type Keyed } from '../../components/table/row-keys.ts';
import type { Intents } from '../../state/order/intents.svelte.ts';

export type JournalRow = Keyed<IntentRecord>;
export const FILTERS = ['all', 'unknown', 'ambiguous', 'accepted', 'rejected', 'not-sent'] as const;
export type Filter = (typeof FILTERS)[number];

/** How long a found order's card stays, ms. */
const SHOWN_AFTER_MS = 15 * 60_000;

const PASSES: Readonly<Record<Filter, (record: IntentRecord) => boolean>> = {
  all: () => true,
  unknown: ({ state }) => awaitsOutcome(state),
  ambiguous: isAmbiguous,
  accepted: ({ state }) => state === 'accepted' || state === 'matched' || state === 'matched-by-user',
  rejected: ({ state }) => state === 'rejected' || state === 'blocked',
  'not-sent': ({ state }) => state === 'recorded' || state === 'not-sent',
};

/** The journal table: every intent, those with an unknown outcome first. */
export class Journal {
  filter = $state<Filter>('all');
  readonly #intents: Intents;

  constructor(intents: Intents) {
    this.#intents = intents;
  }

  readonly rows: readonly JournalRow[] = $derived.by(() =>
    keyed(this.#intents.list.filter(PASSES[this.filter]), (one) => one.id),
  );

  count(filter: Filter): number {
    return this.#intents.list.filter(PASSES[filter]).length;
  }

  /** Cards the user dismissed; their intents stay in the journal. */
  #dismissed = $state.raw<readonly string[]>([]);
  dismiss(intentId: string): void {
    this.#dismissed = [...this.#dismissed, intentId];
  }
  /** Returns unknown outcomes that were found recently: shown beside those still open until dismissed. */
  found(now: number): readonly IntentRecord[] {
    return this.#intents.list.filter(
      (one) =>
        (one.state === 'matched' || one.state === 'matched-by-user') &&
        one.batch === undefined &&
        !this.#dismissed.includes(one.id) &&
        now - (one.events.at(-1)?.at ?? 0) < SHOWN_AFTER_MS,
    );
  }
}

/** Sort key: unknown outcomes first, everything else by time. */
export const urgency = (record: IntentRecord): number =>
  record.createdAt + (awaitsOutcome(record.state) ? 1e15 : 0);

/**
 * Time from sending to the exchange's reply, ms; `none` if no reply came; null while sending or if not sent. The reply to a batch
 * names no order, so its rows are unknown afterwards, but without a failure. A reply that confirms nothing has a status.
 */
export function replyTime({ events, batch }: IntentRecord): number | 'none' | null {
  const sent = events.find((one) => one.state === 'sending');
  const settled = events.find(
    (one) => sent !== undefined && one.at >= sent.at && !['recorded', 'sending'].includes(one.state),
  );
  if (sent === undefined || settled === undefined) return null;
  const replied =
    settled.state === 'accepted' ||
    settled.state === 'rejected' ||
    settled.failure?.status !== undefined ||
    (batch !== undefined && settled.state === 'unknown' && settled.failure === undefined);
  return replied ? settled.at - sent.at : 'none';
}

/** The latest failure: why it was rejected, not sent or lost. */
export const lastFailure = (record: IntentRecord): IntentEvent['failure'] =>
  record.events.findLast((one) => one.failure !== undefined)?.failure;
