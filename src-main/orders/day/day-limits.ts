/**
 * The user's daily limits of each account: which are in force, what counts towards them, and how they are weakened.
 * The window may ask for anything; what is weaker than before waits until midnight here, or needs the word.
 */
import { blockedFailure, done, failed, type Result } from '../../../src-shared/ipc/failures.ts';
import { DAY_WORD, type DayState } from '../../../src-shared/ipc/day-limits.ts';
import type { DayLimits as Limits, DayUsage } from '../../../src-shared/domain/instrument/trading-context.ts';
import { dayAt } from '../../../src-shared/domain/display/zoned-time.ts';
import { SerialQueue } from '../../../src-shared/serial-queue.ts';
import type { Clock } from '../../../src-shared/time.ts';
import type { Journal } from '../journal/journal.ts';
import type { DayResults } from './day-results.ts';
import {
  isLimited,
  limitsAt,
  pendingAt,
  sameLimits,
  strictest,
  type Day,
  type StoredDayAccount,
  type StoredDayLimits,
} from './stored.ts';

export interface DayLimitPorts {
  readonly file: { write(value: StoredDayLimits): Promise<void> };
  readonly journal: Pick<Journal, 'openingSince'>;
  readonly results: Pick<DayResults, 'refresh' | 'of'>;
  readonly clock: Clock;
  /** The display time zone, an IANA name. */
  readonly timeZone: () => string;
  readonly openId: () => string | null;
  /** Returns the account that a connection has now: its key may be replaced by another one's. */
  readonly accountOf: (connectionId: string) => string | null;
  /** Clock of the open account's exchange − this computer's, ms; null before the first reply. */
  readonly clockOffsetMs: () => number | null;
  /** Called when what the window shows of the open account's day changed. */
  readonly changed: (state: DayState) => void;
  /** Called when the user lifted or weakened a limit before midnight. */
  readonly overridden: (what: 'lifted' | 'weakened', connectionId: string) => void;
  /** Called when the new day could not be written to the file. */
  readonly unwritten: () => void;
}

export class DayLimits {
  readonly #ports: DayLimitPorts;
  readonly #writes = new SerialQueue();
  #stored: StoredDayLimits;
  #shown = '';

  /** @param stored the file's content */
  constructor(ports: DayLimitPorts, stored: StoredDayLimits) {
    this.#ports = ports;
    this.#stored = stored;
  }

  /** Returns what an order of the account is checked against; null without limits. */
  usage(connectionId: string): DayUsage | null {
    return isLimited(this.#limits(connectionId)) ? this.state(connectionId) : null;
  }

  state(connectionId: string): DayState {
    const now = this.#ports.clock.now();
    const { zone, startsAt } = this.#day(now);
    const account = this.#stored.accounts[connectionId];
    const limits = limitsAt(account, now);
    const lifted = account?.lifted ?? null;
    const isLifted = lifted !== null && now < lifted.until && this.#isOf(lifted.account, connectionId);
    return {
      connectionId,
      zone,
      startsAt,
      limits,
      lifted: isLifted,
      liftedAt: isLifted ? lifted.at : null,
      next: pendingAt(account, now)?.limits ?? null,
      sent: limits.orders === null ? 0 : this.#sentSince(connectionId, startsAt, now),
      ...this.#ports.results.of(connectionId, startsAt, limits.loss?.coin ?? null),
    };
  }

  #isOf(account: string | undefined, connectionId: string): boolean {
    return account === undefined || account === this.#ports.accountOf(connectionId);
  }

  #sentSince(connectionId: string, startsAt: number, now: number): number {
    const { journal, openId, clockOffsetMs } = this.#ports;
    const offsetMs = openId() === connectionId ? clockOffsetMs() : null;
    return journal.openingSince(connectionId, startsAt, { now, offsetMs });
  }

  async set(connectionId: string, wanted: Limits, typed: string | null): Promise<Result<DayState>> {
    if (typed !== null && typed !== DAY_WORD) return failed(NOT_TYPED);
    const from = this.#day(this.#ports.clock.now()).endsAt;
    await this.#change(connectionId, ({ limits: old }) => {
      const limits = typed === null ? strictest(old, wanted) : wanted;
      return { limits, next: sameLimits(limits, wanted) ? null : { limits: wanted, from } };
    });
    if (typed !== null) this.#ports.overridden('weakened', connectionId);
    return done(this.state(connectionId));
  }

  async lift(connectionId: string, typed: string): Promise<Result<DayState>> {
    if (typed !== DAY_WORD) return failed(NOT_TYPED);
    const now = this.#ports.clock.now();
    const until = this.#day(now).endsAt;
    const account = this.#ports.accountOf(connectionId);
    const lifted = { at: now, until, ...(account === null ? {} : { account }) };
    await this.#change(connectionId, () => ({ lifted }));
    this.#ports.overridden('lifted', connectionId);
    return done(this.state(connectionId));
  }

  /** Forgets a removed connection's limits. */
  async forget(connectionId: string): Promise<void> {
    if (this.#stored.accounts[connectionId] === undefined) return;
    await this.#write(({ accounts }) => {
      const { [connectionId]: _gone, ...others } = accounts;
      return others;
    });
  }

  /** Measures the open account's day again: orders were sent, a feed was read, midnight passed. */
  check(): void {
    const id = this.#ports.openId();
    if (id === null) return;
    if (this.#limits(id).loss !== null)
      this.#ports.results.refresh(id, this.#day(this.#ports.clock.now()).startsAt, () => this.#report(id));
    this.#report(id);
  }

  #report(id: string): void {
    if (id !== this.#ports.openId()) return;
    const state = this.state(id);
    const text = JSON.stringify(state);
    if (text === this.#shown) return;
    this.#shown = text;
    this.#ports.changed(state);
  }

  #limits(connectionId: string): Limits {
    return limitsAt(this.#stored.accounts[connectionId], this.#ports.clock.now());
  }

  /** Returns the day that is counted. A stored one lasts to its end, also after a change of the zone and a restart. */
  #day(now: number): Day {
    const { day } = this.#stored;
    if (day !== null && now >= day.startsAt && now < day.endsAt) return day;
    const zone = this.#ports.timeZone();
    const next = { zone, ...dayAt(now, zone) };
    this.#stored = { ...this.#stored, day: next };
    // Without limits there is nothing that another day could end early.
    if (Object.keys(this.#stored.accounts).length > 0)
      this.#write(({ accounts }) => accounts).catch(() => this.#ports.unwritten());
    return next;
  }

  async #change(
    connectionId: string,
    change: (before: StoredDayAccount) => Partial<StoredDayAccount>,
  ): Promise<void> {
    const now = this.#ports.clock.now();
    await this.#write(({ accounts }) => {
      const old = accounts[connectionId];
      const before = { limits: limitsAt(old, now), next: pendingAt(old, now), lifted: old?.lifted ?? null };
      return { ...accounts, [connectionId]: { ...before, ...change(before) } };
    });
    this.check();
  }

  /** One after another, each from what the one before left: two changes at once would lose one. */
  #write(change: (stored: StoredDayLimits) => StoredDayLimits['accounts']): Promise<void> {
    return this.#writes.run(async () => {
      const accounts = change(this.#stored);
      await this.#ports.file.write({ ...this.#stored, accounts });
      this.#stored = { ...this.#stored, accounts };
    });
  }
}

const NOT_TYPED = blockedFailure(`${DAY_WORD} was not typed.`, `Type ${DAY_WORD} in capitals.`, 'typed');
