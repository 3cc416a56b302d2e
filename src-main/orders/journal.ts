/**
 * The order journal: an append-only JSON-lines file, on disk before the first byte of an order leaves. Nothing in it
 * is ever edited; the state of an intent is what its lines add up to by the transition table.
 *
 * After a kill the last line may be torn. A torn line was never acknowledged as written, so its order was never sent:
 * it is skipped, kept in the file, and counted as damage to be shown.
 */
import * as v from 'valibot';
import type {
  CheckRound,
  Finding,
  IntentEvent,
  IntentRecord,
  ShownCheck,
} from '../../src-shared/contract/orders.ts';
import type { Failure } from '../../src-shared/contract/failures.ts';
import {
  nextState,
  ORDER_EVENTS,
  type OrderEvent,
  type OrderState,
} from '../../src-shared/domain/order-life.ts';
import { isRecord } from '../../src-shared/interface/fields.ts';
import { claimedIds } from './claimed-ids.ts';

/** Where lines are kept. `append` resolves only when the lines are on the disk, or rejects and nothing was promised. */
export interface JournalFile {
  append(text: string): Promise<void>;
  read(): Promise<string>;
}

/** What an intent is, written once. */
export interface IntentHead {
  readonly connectionId: string;
  readonly connectionKind: 'practice' | 'live';
  readonly kind: 'order' | 'close-all';
  readonly symbolId: string;
  readonly side: 'BUY' | 'SELL';
  readonly type: 'LIMIT' | 'MARKET';
  readonly path: string;
  /** Exact body bytes. */
  readonly body: string;
  /** Orders of the symbol that were known before the send: never a candidate for this intent. */
  readonly knownIds: readonly string[];
  /** Exchange clock − this computer's at the send, ms; null before the first reply. */
  readonly clockOffsetMs?: number | null;
  /** The symbol's position as last read before the send, in words; null when it was not known. */
  readonly position?: string | null;
}

/** One step of an intent's life, with both clocks (the wall clock may jump, the monotonic one restarts with the app). */
export interface Step {
  readonly event: OrderEvent;
  readonly text: string;
  readonly at: number;
  readonly mono: number;
  readonly orderId?: string;
  readonly code?: string;
  readonly failure?: Failure;
  /** With `check`. */
  readonly check?: CheckRound;
}

const headSchema = v.object({
  connectionId: v.string(),
  connectionKind: v.picklist(['practice', 'live']),
  kind: v.picklist(['order', 'close-all']),
  symbolId: v.string(),
  side: v.picklist(['BUY', 'SELL']),
  type: v.picklist(['LIMIT', 'MARKET']),
  path: v.string(),
  body: v.string(),
  knownIds: v.pipe(v.array(v.string()), v.readonly()),
  clockOffsetMs: v.exactOptional(v.nullable(v.number())),
  position: v.exactOptional(v.nullable(v.string())),
}) satisfies v.GenericSchema<unknown, IntentHead>;

const lineSchema = v.object({
  v: v.literal(1),
  intent: v.string(),
  event: v.picklist(ORDER_EVENTS),
  text: v.string(),
  at: v.number(),
  mono: v.number(),
  orderId: v.exactOptional(v.string()),
  code: v.exactOptional(v.string()),
  failure: v.exactOptional(v.custom<Failure>(isRecord)),
  check: v.exactOptional(v.custom<CheckRound>(isRecord)),
  /** Only with the first line, `record`. */
  head: v.exactOptional(headSchema),
});
type Line = v.InferOutput<typeof lineSchema>;

export interface Journal {
  /** Writes steps of one intent in one synced append; the record changes only when they are on disk. */
  write(intentId: string, steps: readonly Step[], head?: IntentHead): Promise<IntentRecord>;
  get(intentId: string): IntentRecord | null;
  head(intentId: string): IntentHead | null;
  /** Newest first. */
  list(connectionId: string): readonly IntentRecord[];
  /** Intents of any connection that the last run left between two states. */
  interrupted(): readonly IntentRecord[];
  /** Lines that could not be read. */
  readonly damaged: number;
}

interface Entry {
  readonly head: IntentHead;
  record: IntentRecord;
}

/** Reads the file and gives the journal. Throws what the file port throws. */
export async function openJournal(file: JournalFile): Promise<Journal> {
  const entries = new Map<string, Entry>();
  const text = await file.read();
  let damaged = 0;
  for (const raw of text.split('\n')) {
    if (raw === '') continue;
    const line = readLine(raw);
    if (line === null || !apply(entries, line)) damaged++;
  }
  // A torn last line must not swallow the next one.
  let prefix = text === '' || text.endsWith('\n') ? '' : '\n';
  let last: Promise<unknown> = Promise.resolve();

  /** An order is one intent's only: looked at here, where writes are in line. What the exchange answered stands. */
  const isTaken = ({ intent, event, orderId }: Line): boolean => {
    const own = entries.get(intent);
    if (orderId === undefined || own === undefined || event === 'accept') return false;
    return claimedIds(ofConnection(own.head.connectionId), own.record).has(orderId);
  };
  const ofConnection = (connectionId: string): IntentRecord[] =>
    [...entries.values()]
      .filter((entry) => entry.head.connectionId === connectionId)
      .map((entry) => entry.record);

  return {
    damaged,
    write(intentId, steps, head) {
      const write = last.then(async () => {
        const lines: Line[] = steps.map((step, index) => ({
          v: 1,
          intent: intentId,
          ...step,
          ...(index === 0 && head !== undefined ? { head } : {}),
        }));
        // Tried on a copy of the one intent first: what is not on disk must not show.
        const before = entries.get(intentId);
        const trial = new Map(before === undefined ? [] : [[intentId, before]]);
        for (const line of lines) {
          if (!apply(trial, line)) throw new Error(`journal: ${line.event} does not fit intent ${intentId}`);
          if (isTaken(line)) throw new Error(`journal: another intent has the order of ${intentId}`);
        }
        const text = prefix + lines.map((line) => JSON.stringify(line) + '\n').join('');
        // An append that fails may have left a part of a line.
        prefix = '\n';
        await file.append(text);
        prefix = '';
        const entry = trial.get(intentId);
        if (entry === undefined) throw new Error(`journal: nothing was written of intent ${intentId}`);
        entries.set(intentId, entry);
        return entry.record;
      });
      // The queue goes on after a failed write; the caller alone is told.
      last = write.catch(() => undefined);
      return write;
    },
    get: (intentId) => entries.get(intentId)?.record ?? null,
    head: (intentId) => entries.get(intentId)?.head ?? null,
    interrupted: () =>
      [...entries.values()]
        .map((entry) => entry.record)
        .filter((record) => record.state === 'sending' || record.state === 'recorded'),
    list: (connectionId) => ofConnection(connectionId).reverse(),
  };
}

function readLine(raw: string): Line | null {
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    return null;
  }
  const parsed = v.safeParse(lineSchema, value);
  return parsed.success ? parsed.output : null;
}

/** Adds a line to its intent; false when it does not fit the transition table or lacks its head. */
function apply(entries: Map<string, Entry>, line: Line): boolean {
  const known = entries.get(line.intent);
  const head = known?.head ?? line.head;
  if (head === undefined) return false;
  let state: OrderState;
  try {
    state = nextState(known?.record.state ?? 'drafted', line.event);
  } catch {
    return false;
  }
  const before = known?.record;
  const { knownIds: _known, clockOffsetMs: _offset, position: _position, ...shown } = head;
  const finding =
    line.check === undefined
      ? before?.finding
      : extended(before?.finding, { ...line.check, text: line.text });
  entries.set(line.intent, {
    head,
    record: {
      ...shown,
      id: line.intent,
      state,
      orderId: line.orderId ?? before?.orderId ?? null,
      code: line.code ?? before?.code ?? null,
      createdAt: before?.createdAt ?? line.at,
      // Checks are told apart: there can be hundreds.
      events: [...(before?.events ?? []), ...(line.event === 'check' ? [] : [eventOf(line, state)])],
      ...(finding === undefined ? {} : { finding }),
    },
  });
  return true;
}

const eventOf = (line: Line, state: OrderState): IntentEvent => ({
  at: line.at,
  state,
  text: line.text,
  ...(line.failure === undefined ? {} : { failure: line.failure }),
});

/** Records cross the bridge whole: the newest rounds are enough there, the file has them all. */
const SHOWN_CHECKS = 40;
const extended = (before: Finding | undefined, check: ShownCheck): Finding => ({
  checks: [...(before?.checks ?? []), check].slice(-SHOWN_CHECKS),
  rounds: (before?.rounds ?? 0) + 1,
  absent: (before?.absent ?? 0) + (check.verdict === 'absent' ? 1 : 0),
});
