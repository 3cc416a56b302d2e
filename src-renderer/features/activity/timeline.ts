import type { IntentRecord, ShownCheck } from '../../../src-shared/ipc/orders.ts';
import { STATE_LABELS } from '../../state/order/intent-text.ts';
import type { NoticeTone } from '../../state/session/notices.svelte.ts';
import { counted } from '../../text/number-text.ts';

export interface TimelineRow {
  /** Wall clock, ms. */
  readonly at: number;
  readonly tone: NoticeTone;
  readonly label: string;
  readonly text: string;
  readonly hints: readonly string[];
}

const VERDICT: Readonly<
  Record<ShownCheck['verdict'], { readonly label: string; readonly tone: NoticeTone }>
> = {
  absent: { label: 'No match', tone: 'info' },
  undecided: { label: 'Undecided', tone: 'info' },
  ambiguous: { label: 'Your decision', tone: 'warn' },
  matched: { label: 'Match', tone: 'ok' },
};
/** Most checks shown at the start and at the end; those between are only counted. */
const FIRST = 2;
const LAST = 3;

/** Returns the intent's events and every check of the exchange's lists, by time. */
export function timelineOf({ events, finding }: IntentRecord): readonly TimelineRow[] {
  const states = events.map(({ at, state, text }): TimelineRow => {
    const { label, tone } = STATE_LABELS[state];
    return { at, tone, label, text: text === label ? '' : text, hints: [] };
  });
  return [...states, ...roundsOf(finding)].sort((a, b) => a.at - b.at);
}

function roundsOf(finding: IntentRecord['finding']): TimelineRow[] {
  if (finding === undefined) return [];
  const { checks, rounds } = finding;
  const rows = checks.map(rowOf);
  const hidden = rounds - FIRST - LAST;
  const [first] = checks;
  if (hidden <= 0 || first === undefined) return rows;
  const head = first.round === 1 ? rows.slice(0, FIRST) : [];
  const tail = rows.slice(-LAST);
  const more = rounds - head.length - tail.length;
  const between: TimelineRow = {
    at: (tail[0]?.at ?? first.at) - 1,
    tone: 'info',
    label: counted(more, 'more check'),
    text: 'Kept in the journal file.',
    hints: [],
  };
  return [...head, between, ...tail];
}

/** Drops the verdict from the end of the journal's text: the row's label shows it. */
function rowOf({ at, verdict, text, hints }: ShownCheck): TimelineRow {
  const result = VERDICT[verdict];
  const again = ` ${result.label}.`;
  return { at, text: text.endsWith(again) ? text.slice(0, -again.length) : text, hints, ...result };
}
