import type { Calls } from '../../bridge.ts';
import type { AlertRecord, AlertStatus, AlertUpdate } from '../../../src-shared/ipc/alerts.ts';
import type { Failure } from '../../../src-shared/ipc/failures.ts';
import { isOpen, MAX_ALERTS } from '../../../src-shared/domain/alerts/open.ts';
import { type AlertRule, CRITICAL_RULES } from '../../../src-shared/domain/alerts/rules.ts';
import type { Link, Navigation } from '../session/navigation.svelte.ts';
import type { Notices, NoticeTone } from '../session/notices.svelte.ts';

interface Place {
  readonly screen: string;
  readonly link: Link;
}
const SCREEN_OF: Readonly<Record<AlertRule, string | null>> = {
  liquidated: 'positions',
  'liquidation-danger': 'positions',
  liquidation: 'positions',
  'margin-danger': 'overview',
  margin: 'overview',
  unknown: 'activity',
  stale: null,
  equity: 'overview',
  delivered: 'positions',
  fills: 'positions',
};

/** Returns the place in the window that the alert is about; null if there is none. */
export function placeOf({ rule, link }: AlertRecord): Place | null {
  // A margin alert that names a contract is about an isolated position.
  const isolated = (rule === 'margin' || rule === 'margin-danger') && link.symbolId !== undefined;
  const screen = isolated ? 'positions' : SCREEN_OF[rule];
  return screen === null ? null : { screen, link };
}

interface AlertsDeps {
  readonly calls: Calls;
  readonly notices: Notices;
  readonly navigation: Navigation;
  readonly playTone: () => void;
  /** Returns a connection's name; null for one that was removed. */
  readonly nameOf: (connectionId: string) => string | null;
  /** Whether the order was sent from this window: its own toast shows the outcome. */
  readonly isOwn: (orderId: string) => boolean;
}

/** The alert log of the open connection. */
export class Alerts {
  /** Newest first. */
  records = $state.raw<readonly AlertRecord[]>([]);
  status = $state.raw<AlertStatus>({ raised: [], unmonitored: [] });
  loaded = $state(false);
  failure = $state.raw<Failure | null>(null);
  #connectionId: string | null = null;
  readonly #deps: AlertsDeps;

  constructor(deps: AlertsDeps) {
    this.#deps = deps;
  }

  /** Liquidated positions by their id, with the time they were reported. */
  readonly #ends: ReadonlyMap<string, number> = $derived(
    new Map(
      this.records.flatMap(({ rule, link, at }) =>
        rule === 'liquidated' && link.positionId !== undefined ? [[link.positionId, at] as const] : [],
      ),
    ),
  );

  /** Whether the position was liquidated after this warning; it must not read as if the danger had passed. */
  endedInLiquidation({ rule, key, at }: AlertRecord): boolean {
    if (rule === 'liquidated') return false;
    // A position's key ends in its id; older records have the id alone.
    const end = this.#ends.get(
      key
        .slice(rule.length + 1)
        .split(' ')
        .at(-1) ?? '',
    );
    return end !== undefined && at <= end;
  }

  /** Alerts that wait to be acknowledged. */
  readonly open: readonly AlertRecord[] = $derived(this.records.filter((one) => this.isOpen(one)));
  /**
   * Alerts shown on every screen until acknowledged. An unknown outcome has a banner of its own, which nothing closes
   * while it is unknown; once it is known, its alert stays in the log only.
   */
  readonly pinned: readonly AlertRecord[] = $derived(
    this.open.filter(
      (one) =>
        CRITICAL_RULES.has(one.rule) &&
        one.rule !== 'unknown' &&
        one.rule !== 'liquidated' &&
        !this.endedInLiquidation(one),
    ),
  );
  /** Liquidation alerts, shown together above everything else. */
  readonly liquidations: readonly AlertRecord[] = $derived(
    this.open.filter((one) => one.rule === 'liquidated'),
  );

  isOpen(record: AlertRecord): boolean {
    return isOpen(record, this.status.raised);
  }
  /** Whether the condition still holds. */
  isStill(record: AlertRecord): boolean {
    return this.status.raised.includes(record.key);
  }

  async follow(connectionId: string): Promise<void> {
    this.#connectionId = connectionId;
    this.records = [];
    this.status = { raised: [], unmonitored: [] };
    this.loaded = false;
    this.failure = null;
    await this.load();
  }

  async load(): Promise<void> {
    const connectionId = this.#connectionId;
    if (connectionId === null) return;
    const result = await this.#deps.calls.call('alerts.list', { connectionId });
    if (connectionId !== this.#connectionId) return;
    this.failure = result.ok ? null : result.failure;
    if (!result.ok) return;
    const { records, raised, unmonitored } = result.data;
    // An alert pushed while the log was read is either in it or newer.
    const known = new Set(records.map((one) => one.id));
    this.records = [...this.records.filter((one) => !known.has(one.id)), ...records];
    this.status = { raised, unmonitored };
    this.loaded = true;
  }

  receive(update: AlertUpdate): void {
    if (update.do === 'status') {
      if (update.connectionId === this.#connectionId) this.status = update.status;
      return;
    }
    const { record } = update;
    if (record.connectionId !== this.#connectionId) {
      this.#receiveOther(update);
      return;
    }
    if (update.do === 'open') {
      this.show(record);
      return;
    }
    if (update.do === 'changed') {
      this.records = this.records.map((one) => (one.id === record.id ? record : one));
      return;
    }
    this.records = [record, ...this.records].slice(0, MAX_ALERTS);
    // Critical alerts are pinned instead; an unknown outcome is announced by its own change.
    const { orderId } = record.link;
    const own = record.rule === 'fills' && orderId !== undefined && this.#deps.isOwn(orderId);
    if (update.notice && !own && !CRITICAL_RULES.has(record.rule))
      this.#notify(record.rule === 'fills' || record.rule === 'delivered' ? 'info' : 'warn', record);
    if (update.sound) this.#deps.playTone();
  }

  /** Shows an alert of an account beside the open one; its log is shown once it is open. */
  #receiveOther({ do: what, record, ...update }: Exclude<AlertUpdate, { readonly do: 'status' }>): void {
    if (this.#deps.nameOf(record.connectionId) === null) return;
    if (what === 'open') {
      this.#deps.navigation.go('portfolio');
      return;
    }
    const isCritical = CRITICAL_RULES.has(record.rule);
    const { notice = false, sound = false } = 'notice' in update ? update : {};
    if (notice || isCritical) this.#notify('warn', record, isCritical);
    if (sound) this.#deps.playTone();
  }
  /** It may still be shown once another account is open. */
  #notify(tone: NoticeTone, { connectionId, title, text }: AlertRecord, stays = false): void {
    this.#deps.notices.push(tone, title, text, stays, connectionId);
  }

  /** Opens the alert's place, or the log if it has none. */
  show(record: AlertRecord): void {
    const { screen, link } = placeOf(record) ?? { screen: 'alerts', link: null };
    this.#deps.navigation.go(screen, link);
  }

  async acknowledgeLiquidations(): Promise<void> {
    const warned = this.open.filter((one) => this.endedInLiquidation(one));
    for (const { id } of [...this.liquidations, ...warned]) await this.acknowledge(id);
  }

  /** Acknowledges one alert, or with null every open one. */
  async acknowledge(id: string | null): Promise<void> {
    const connectionId = this.#connectionId;
    if (connectionId === null) return;
    const result = await this.#deps.calls.call('alerts.acknowledge', { connectionId, id });
    if (!result.ok) this.#deps.notices.fail(result.failure);
    else if (connectionId === this.#connectionId) {
      const changed = new Map(result.data.map((one) => [one.id, one]));
      this.records = this.records.map((one) => changed.get(one.id) ?? one);
    }
  }
}
