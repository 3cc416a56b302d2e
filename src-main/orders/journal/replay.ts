/**
 * Reads the journal's file back. A damaged line may be a sent order: unless the order's other lines show its outcome,
 * it holds its symbol, or every symbol if that is unreadable. Other records are unaffected.
 *
 * The end of the file is read like its middle: an append that a crash interrupted, whose order was not sent, looks like
 * a file that lost its end, whose order may have been.
 */
import { createHash } from 'node:crypto';
import type { JournalDamage } from '../../../src-shared/ipc/orders.ts';
import type { AccountIdentity } from '../../../src-shared/domain/reconcile/account-identity.ts';
import {
  nextState,
  type OrderEvent,
  type OrderState,
} from '../../../src-shared/domain/reconcile/lifecycle.ts';
import { accountSchema, apply, type Entry, type Line, readLine, readNote } from './lines.ts';
import { checkedJson } from '../../../src-shared/checked-json.ts';

/** A damaged line and the connection it may belong to. */
export interface HeldDamage {
  shown: JournalDamage;
  readonly fingerprint: string;
  /** null if unreadable: it may belong to any connection. */
  readonly owner: { readonly connectionId: string; readonly connectionKind: 'practice' | 'live' } | null;
  readonly account: AccountIdentity | undefined;
}

export interface Replay {
  readonly entries: Map<string, Entry>;
  /** Lines that hold orders until acknowledged. */
  readonly damage: readonly HeldDamage[];
  /** Number of unreadable lines, without acknowledged ones. */
  readonly unreadable: number;
}

/** Identifies a line in a note by its place and text, neither of which ever changes. */
const fingerprintOf = ({ index, raw }: RawLine): string =>
  createHash('sha256').update(`${index} ${raw}`).digest('hex').slice(0, 24);

const RESOLVED: ReadonlySet<OrderState> = new Set<OrderState>([
  'accepted',
  'rejected',
  'not-sent',
  'matched',
  'matched-by-user',
  'dismissed',
]);

/** The event of a missing line that makes the next one valid: the send, or the lost reply. */
const IMPLIED_EVENT: Partial<Record<OrderState, OrderEvent>> = { recorded: 'send', sending: 'lose' };

function isAllowed(state: OrderState, event: OrderEvent): boolean {
  try {
    nextState(state, event);
    return true;
  } catch {
    return false;
  }
}

/** Applies the event of a missing line, in memory only. */
function assume(entry: Entry, event: OrderEvent): void {
  entry.record = { ...entry.record, state: nextState(entry.record.state, event) };
}

interface RawLine {
  readonly index: number;
  readonly raw: string;
}
const ownIntentOf = ({ raw }: RawLine): string | null => /"intent":"([^"\\]{1,80})"/.exec(raw)?.[1] ?? null;

class Reader {
  readonly entries = new Map<string, Entry>();
  /** Intents without a head, with the state from their other lines. */
  readonly #headless = new Map<string, { state: OrderState; readonly first: number; readonly raw: string }>();
  /** What stands beside a damaged line: without its text, which has up to a thousand ids. */
  readonly #lines: (Pick<Line, 'intent' | 'event'> | null)[] = [];
  readonly #damaged: RawLine[] = [];
  readonly #harmless = new Set<string>();
  #misfits = 0;

  constructor(content: Buffer) {
    // A note comes after its line.
    if (content.includes('"harmless"'))
      for (const raw of linesOf(content)) {
        const note = raw.includes('"harmless"') && readLine(raw) === null ? readNote(raw) : null;
        if (note !== null) this.#harmless.add(note.harmless);
      }
    let index = 0;
    for (const raw of linesOf(content)) this.#read({ index: index++, raw });
  }

  #read(one: RawLine): void {
    const { index, raw } = one;
    const line = raw === '' ? null : readLine(raw);
    this.#lines.push(line && { intent: line.intent, event: line.event });
    if (line !== null) this.#take(line, index, raw);
    else if (raw !== '' && readNote(raw) === null) {
      this.#damaged.push(one);
      this.#takeDamaged(one);
    }
  }

  /** After a match the only line an intent can have is the undo of it. */
  #takeDamaged(one: RawLine): void {
    const intentId = ownIntentOf(one);
    if (intentId === null || this.#harmless.has(fingerprintOf(one))) return;
    const headless = this.#headless.get(intentId);
    if (headless?.state === 'matched') this.#headless.set(intentId, { ...headless, state: 'unknown' });
    const known = this.entries.get(intentId);
    if (known?.record.state !== 'matched') return;
    const { orderId, disowned = [] } = known.record;
    known.record = {
      ...known.record,
      ...{ state: 'unknown', orderId: null },
      disowned: orderId === null ? disowned : [...disowned, orderId],
    };
  }

  #take(line: Line, index: number, raw: string): void {
    const known = this.entries.get(line.intent);
    if (known === undefined && line.head === undefined) {
      const before = this.#headless.get(line.intent) ?? {
        state: 'recorded' as OrderState,
        first: index,
        raw,
      };
      const missing = IMPLIED_EVENT[before.state];
      let { state } = before;
      if (!isAllowed(state, line.event) && missing !== undefined) state = nextState(state, missing);
      if (isAllowed(state, line.event)) state = nextState(state, line.event);
      else this.#misfits++;
      this.#headless.set(line.intent, { ...before, state });
      return;
    }
    if (known !== undefined && !isAllowed(known.record.state, line.event)) {
      const missing = IMPLIED_EVENT[known.record.state];
      if (missing !== undefined) assume(known, missing);
    }
    if (!apply(this.entries, line)) this.#misfits++;
  }

  result(): Replay {
    const mentioned = new Set<string>();
    const damage: HeldDamage[] = [];
    let unreadable = this.#misfits;
    // Head and send are one append: where a head has no other line, the send is lost.
    for (const entry of this.entries.values()) if (entry.record.state === 'recorded') assume(entry, 'send');
    for (const one of this.#damaged) {
      const intentId = this.#intentOf(one);
      if (intentId !== null) mentioned.add(intentId);
      const known = this.#isKnown(intentId);
      if (this.#harmless.has(fingerprintOf(one))) continue;
      unreadable++;
      if (!known) damage.push(damageOf(one));
    }
    // The head is missing without a damaged line; only other lines show there was one.
    for (const [intentId, { state, first, raw }] of this.#headless)
      if (
        !mentioned.has(intentId) &&
        !RESOLVED.has(state) &&
        !this.#harmless.has(fingerprintOf({ index: first, raw }))
      )
        damage.push(damageOf({ index: first, raw }));
    return { entries: this.entries, damage, unreadable };
  }

  /** Returns the intent of a damaged line: by its text, else by its neighbours, since head and send are adjacent. */
  #intentOf({ index, raw }: RawLine): string | null {
    const own = ownIntentOf({ index, raw });
    if (own !== null) return own;
    const next = this.#lines[index + 1];
    if (next && this.#headless.get(next.intent)?.first === index + 1) return next.intent;
    const before = this.#lines[index - 1];
    return before?.event === 'record' ? before.intent : null;
  }

  /** Reports whether the intent's other lines show its outcome or what to search for. */
  #isKnown(intentId: string | null): boolean {
    if (intentId === null) return false;
    if (this.entries.has(intentId)) return true;
    const headless = this.#headless.get(intentId);
    return headless !== undefined && RESOLVED.has(headless.state);
  }
}

export function replay(content: Buffer): Replay {
  return new Reader(content).result();
}

/** The byte that ends a line. */
export const NEW_LINE = 10;
/** Yields the lines one by one: Node makes no string of more than 512 MB, which the orders of a year may be. */
function* linesOf(content: Buffer): Generator<string> {
  let from = 0;
  for (;;) {
    // By the rest: Node searches from no place beyond 2 GB.
    const length = content.subarray(from).indexOf(NEW_LINE);
    yield content.toString('utf8', from, length === -1 ? content.length : from + length);
    if (length === -1) return;
    from += length + 1;
  }
}

const MAX_SHOWN_CHARS = 300;

function damageOf({ index, raw }: RawLine): HeldDamage {
  const find = (pattern: RegExp): string | null => pattern.exec(raw)?.[1] ?? null;
  const side = find(/"side":"(BUY|SELL)"/);
  const kind = find(/"connectionKind":"(practice|live)"/);
  const connectionId = find(/"connectionId":"([^"\\]{1,60})"/);
  const fingerprint = fingerprintOf({ index, raw });
  return {
    fingerprint,
    owner:
      connectionId === null || (kind !== 'practice' && kind !== 'live')
        ? null
        : { connectionId, connectionKind: kind },
    account: accountIn(find(/"account":(\{[^{}]*\})/)),
    shown: {
      id: `damage-${fingerprint}`,
      line: index + 1,
      connectionId,
      symbolId: find(/"symbolId":"([^"\\]{1,60})"/),
      side: side === 'BUY' || side === 'SELL' ? side : null,
      text: raw.replaceAll(/\p{Cc}/gu, '·').slice(0, MAX_SHOWN_CHARS),
    },
  };
}

/** The account may be damaged, too. */
const accountIn = (text: string | null): AccountIdentity | undefined =>
  text === null ? undefined : (checkedJson(accountSchema, text) ?? undefined);
