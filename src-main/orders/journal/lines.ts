/** Schema of the journal's lines, and how they apply to intents by the transition table. */
import * as v from 'valibot';
import type {
  CheckRound,
  Finding,
  IntentEvent,
  IntentRecord,
  ListRead,
  ShownCheck,
} from '../../../src-shared/ipc/orders.ts';
import { type Failure, failureKind } from '../../../src-shared/ipc/failures.ts';
import { nextState, ORDER_EVENTS, type OrderState } from '../../../src-shared/domain/reconcile/lifecycle.ts';
import { isRecord } from '../../../src-shared/exchange-api/fields.ts';
import { checkedJson } from '../../../src-shared/checked-json.ts';

export const accountSchema = v.object({
  address: v.string(),
  key: v.string(),
  uid: v.nullable(v.string()),
});

const headSchema = v.object({
  connectionId: v.string(),
  connectionKind: v.picklist(['practice', 'live']),
  /** The order's account, since a connection can be removed and added again. Missing in older journals. */
  account: v.exactOptional(accountSchema),
  kind: v.picklist(['order', 'close-all']),
  symbolId: v.string(),
  side: v.picklist(['BUY', 'SELL']),
  type: v.picklist(['LIMIT', 'MARKET']),
  path: v.string(),
  /** Exact body bytes. */
  body: v.string(),
  /** A string is the id of the intent whose head has the list, so that rows of a call do not repeat it. */
  knownIds: v.nullable(v.union([v.pipe(v.array(v.string()), v.readonly()), v.string()])),
  /** Exchange clock − this computer's at the send, ms; null before the first reply. */
  clockOffsetMs: v.exactOptional(v.nullable(v.number())),
  /** The symbol's position as last read before the send, as text; null if unknown. */
  position: v.exactOptional(v.nullable(v.string())),
  /**
   * Place of a batch row. Rows of one call share `path`; the bytes sent are their bodies joined by commas in brackets.
   */
  batch: v.exactOptional(
    v.object({
      id: v.string(),
      row: v.number(),
      of: v.number(),
      call: v.number(),
      closing: v.exactOptional(v.literal(true)),
    }),
  ),
});

/** The fixed part of an intent, written once. */
export interface IntentHead extends Readonly<Omit<v.InferOutput<typeof headSchema>, 'knownIds'>> {
  /**
   * Orders of the symbol known before the send, never candidates for this intent. null: no order is searched for any
   * more, or they were in a damaged line, so only the user can match this intent.
   */
  readonly knownIds: readonly string[] | null;
}

const failureSchema = v.pipe(
  v.custom<Omit<Failure, 'kind'> & { readonly kind: Parameters<typeof failureKind>[0] }>(isRecord),
  v.transform((failure): Failure => ({ ...failure, kind: failureKind(failure.kind) })),
);

const lineSchema = v.object({
  v: v.literal(1),
  intent: v.string(),
  event: v.picklist(ORDER_EVENTS),
  text: v.string(),
  at: v.number(),
  mono: v.number(),
  orderId: v.exactOptional(v.string()),
  code: v.exactOptional(v.string()),
  failure: v.exactOptional(failureSchema),
  check: v.exactOptional(v.pipe(v.custom<OlderCheck>(isRecord), v.transform(checkOf))),
  /** Only with the first line, `record`. */
  head: v.exactOptional(headSchema),
});
export type Line = v.InferOutput<typeof lineSchema>;
/** One step of an intent, with both clocks: the wall clock may jump, the monotonic one restarts with the app. */
export type Step = Readonly<Omit<Line, 'v' | 'intent' | 'head'>>;

/** A read as older journals have it: `whole` and `cut`, and `unread` for the number of unreadable records. */
type OlderRead = Omit<ListRead, 'outcome'> & {
  readonly outcome: ListRead['outcome'] | 'whole' | 'cut';
  readonly unread?: number;
};

function readOf({ outcome, unread, ...others }: OlderRead): ListRead {
  const present = outcome === 'whole' ? 'complete' : outcome === 'cut' ? 'incomplete' : outcome;
  return { ...others, outcome: present, ...(unread === undefined ? {} : { unreadable: unread }) };
}
/** A check as older journals have it: `landed` is the verdict of a match. */
type OlderCheck = Omit<CheckRound, 'verdict' | 'reads'> & {
  readonly verdict: CheckRound['verdict'] | 'landed';
  readonly reads: readonly OlderRead[];
};

/** Renames what older journals name otherwise. The line's schema does not look into a check. */
function checkOf({ verdict, reads, ...others }: OlderCheck): CheckRound {
  return {
    ...others,
    verdict: verdict === 'landed' ? 'matched' : verdict,
    reads: Array.isArray(reads) ? reads.map(readOf) : [],
  };
}

/** A line about another line: that the user acknowledged its damage, or by an older version, that it was torn. */
const noteSchema = v.object({
  v: v.literal(1),
  /** Fingerprint of the line. */
  harmless: v.string(),
  because: v.picklist(['torn', 'acknowledged']),
  at: v.exactOptional(v.number()),
});
export type Note = v.InferOutput<typeof noteSchema>;

export interface Entry {
  readonly head: IntentHead;
  record: IntentRecord;
}

/** Returns a line, or null if it is damaged or another kind: replay.ts says what follows. */
export const readLine = (raw: string): Line | null => checkedJson(lineSchema, raw);
export const readNote = (raw: string): Note | null => checkedJson(noteSchema, raw);

export interface Entries {
  get(intentId: string): Entry | undefined;
  set(intentId: string, entry: Entry): void;
}

/** For an intent in these no order is searched for. A match may be undone, and a dismissed one competes for candidates. */
const SETTLED: ReadonlySet<OrderState> = new Set(['accepted', 'rejected', 'not-sent', 'matched-by-user']);

/** Applies a line to its intent; false if the transition table forbids it or its head is missing. */
export function apply(entries: Entries, line: Line): boolean {
  const known = entries.get(line.intent);
  const head = known?.head ?? headOf(entries, line);
  if (head === undefined) return false;
  const before = known?.record ?? drafted(head, line);
  let state: OrderState;
  try {
    state = nextState(before.state, line.event);
  } catch {
    return false;
  }
  // Up to a thousand ids for each order ever sent would fill the memory.
  const needed = SETTLED.has(state) ? { ...head, knownIds: null } : head;
  entries.set(line.intent, { head: needed, record: recordAfter(before, line, state) });
  return true;
}

/** The record of an intent before its first line is applied. */
function drafted(head: IntentHead, line: Line): IntentRecord {
  const { knownIds: _known, clockOffsetMs: _offset, position: _position, account: _account, ...shown } = head;
  return {
    ...shown,
    id: line.intent,
    state: 'drafted',
    orderId: null,
    code: null,
    createdAt: line.at,
    events: [],
  };
}

function recordAfter(before: IntentRecord, line: Line, state: OrderState): IntentRecord {
  const { event, orderId, code, check, text } = line;
  return {
    ...before,
    state,
    orderId: event === 'disown' ? null : (orderId ?? before.orderId),
    ...(event === 'disown' && orderId !== undefined
      ? { disowned: [...(before.disowned ?? []), orderId] }
      : {}),
    code: code ?? before.code,
    // Checks are in `finding`: there can be hundreds.
    events: event === 'check' ? before.events : [...before.events, eventOf(line, state)],
    ...(check === undefined ? {} : { finding: withCheck(before.finding, { ...check, text }) }),
  };
}

function headOf(entries: Entries, { head }: Line): IntentHead | undefined {
  if (head === undefined) return undefined;
  const { knownIds } = head;
  if (typeof knownIds !== 'string') return { ...head, knownIds };
  return { ...head, knownIds: entries.get(knownIds)?.head.knownIds ?? null };
}

const eventOf = (line: Line, state: OrderState): IntentEvent => ({
  at: line.at,
  state,
  text: line.text,
  ...(line.failure === undefined ? {} : { failure: line.failure }),
});

/** Records cross the bridge with the newest rounds only; the file has them all. */
const SHOWN_CHECKS = 40;
const withCheck = (before: Finding | undefined, check: ShownCheck): Finding => ({
  checks: [...(before?.checks ?? []), check].slice(-SHOWN_CHECKS),
  rounds: (before?.rounds ?? 0) + 1,
  absent: (before?.absent ?? 0) + (check.verdict === 'absent' ? 1 : 0),
});
