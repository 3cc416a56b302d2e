/**
 * The journal's file read back: what its lines add up to, and what of it cannot be read. A line that is damaged may
 * have told of an order that was sent, so it takes no other record along and is not passed over in silence: unless an
 * order's other lines say how it ended, it holds its symbol, or every symbol where that cannot be read.
 *
 * A torn last line was never acknowledged as written, so nothing of it was sent.
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
import * as v from 'valibot';

/** A damaged line and whose it may be. */
export interface HeldDamage {
  shown: JournalDamage;
  readonly fingerprint: string;
  /** As far as it can be read; null: it may be anybody's. */
  readonly owner: { readonly connectionId: string; readonly connectionKind: 'practice' | 'live' } | null;
  readonly account: AccountIdentity | undefined;
}

export interface Replay {
  readonly entries: Map<string, Entry>;
  /** What holds orders until it is acknowledged. */
  readonly damage: readonly HeldDamage[];
  /** Lines that cannot be read, without those acknowledged. */
  readonly unreadable: number;
  /** Of the torn last line; null when there is none. */
  readonly torn: string | null;
}

/** Names a line in a note about it, by its place and text: both stay as they are in the file. */
const fingerprintOf = ({ index, raw }: Damaged): string =>
  createHash('sha256').update(`${index} ${raw}`).digest('hex').slice(0, 24);

const SETTLED: ReadonlySet<OrderState> = new Set<OrderState>([
  'accepted',
  'rejected',
  'not-sent',
  'landed',
  'claimed',
  'closed',
]);

/** What a line that is gone may have said, so that the next one fits: the send, or that the answer was lost. */
const BEFORE: Partial<Record<OrderState, OrderEvent>> = { recorded: 'send', sending: 'lose' };

function fits(state: OrderState, event: OrderEvent): boolean {
  try {
    nextState(state, event);
    return true;
  } catch {
    return false;
  }
}

interface Damaged {
  readonly index: number;
  readonly raw: string;
}

class Reader {
  readonly entries = new Map<string, Entry>();
  /** Orders whose head is not there, by what their other lines add up to. */
  readonly #headless = new Map<string, { state: OrderState; readonly first: number; readonly raw: string }>();
  readonly #lines: (Line | null)[] = [];
  readonly #damaged: Damaged[] = [];
  readonly #harmless = new Set<string>();
  #misfits = 0;
  torn: string | null = null;

  constructor(text: string) {
    const raws = text.split('\n');
    for (const [index, raw] of raws.entries()) {
      const line = raw === '' ? null : readLine(raw);
      this.#lines.push(line);
      if (raw === '') continue;
      if (line !== null) this.#take(line, index, raw);
      else {
        const note = readNote(raw);
        if (note !== null) this.#harmless.add(note.harmless);
        else if (index === raws.length - 1) this.torn = fingerprintOf({ index, raw });
        else this.#damaged.push({ index, raw });
      }
    }
  }

  #take(line: Line, index: number, raw: string): void {
    const known = this.entries.get(line.intent);
    if (known === undefined && line.head === undefined) {
      const before = this.#headless.get(line.intent) ?? {
        state: 'recorded' as OrderState,
        first: index,
        raw,
      };
      const missing = BEFORE[before.state];
      let { state } = before;
      if (!fits(state, line.event) && missing !== undefined) state = nextState(state, missing);
      if (fits(state, line.event)) state = nextState(state, line.event);
      else this.#misfits++;
      this.#headless.set(line.intent, { ...before, state });
      return;
    }
    const missing = known === undefined ? undefined : BEFORE[known.record.state];
    if (known !== undefined && missing !== undefined && !fits(known.record.state, line.event))
      this.#assume(line.intent, missing);
    if (!apply(this.entries, line)) this.#misfits++;
  }

  /** Goes on as if the line that is gone had said so; nothing is written. */
  #assume(intentId: string, event: OrderEvent): void {
    const known = this.entries.get(intentId);
    if (known === undefined || !fits(known.record.state, event)) return;
    known.record = { ...known.record, state: nextState(known.record.state, event) };
  }

  result(): Replay {
    const told = new Set<string>();
    const damage: HeldDamage[] = [];
    let unreadable = this.#misfits + (this.torn === null ? 0 : 1);
    for (const one of this.#damaged) {
      const intentId = this.#intentOf(one);
      if (intentId !== null) told.add(intentId);
      const known = this.#isKnown(intentId);
      if (this.#harmless.has(fingerprintOf(one))) continue;
      unreadable++;
      if (!known) damage.push(heldBy(one));
    }
    // Its head is gone without a trace: another line says that there was one.
    for (const [intentId, { state, first, raw }] of this.#headless)
      if (
        !told.has(intentId) &&
        !SETTLED.has(state) &&
        !this.#harmless.has(fingerprintOf({ index: first, raw }))
      )
        damage.push(heldBy({ index: first, raw }));
    return {
      entries: this.entries,
      damage,
      unreadable,
      torn: this.torn,
    };
  }

  /** The order a damaged line is of: by its own text, else by its neighbours, since head and send stand together. */
  #intentOf({ index, raw }: Damaged): string | null {
    const own = /"intent":"([^"\\]{1,80})"/.exec(raw)?.[1];
    if (own !== undefined) return own;
    const next = this.#lines[index + 1];
    if (next && this.#headless.get(next.intent)?.first === index + 1) return next.intent;
    const before = this.#lines[index - 1];
    return before?.event === 'record' ? before.intent : null;
  }

  /** Whether the order's other lines say enough: how it ended, or what to look for. */
  #isKnown(intentId: string | null): boolean {
    if (intentId === null) return false;
    if (this.entries.has(intentId)) {
      // Recorded, and then a line that is gone: it may have been sent.
      if (this.entries.get(intentId)?.record.state === 'recorded') this.#assume(intentId, 'send');
      return true;
    }
    const headless = this.#headless.get(intentId);
    return headless !== undefined && SETTLED.has(headless.state);
  }
}

export function replay(text: string): Replay {
  return new Reader(text).result();
}

const SHOWN = 300;

function heldBy({ index, raw }: Damaged): HeldDamage {
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
      text: raw.replaceAll(/\p{Cc}/gu, '·').slice(0, SHOWN),
    },
  };
}

function accountIn(text: string | null): AccountIdentity | undefined {
  if (text === null) return undefined;
  try {
    const parsed = v.safeParse(accountSchema, JSON.parse(text));
    return parsed.success ? parsed.output : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined; // damaged there, too
    throw error;
  }
}
