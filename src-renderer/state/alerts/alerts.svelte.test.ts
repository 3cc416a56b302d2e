import { beforeEach, describe, expect, it } from 'vitest';
import type { AlertRecord } from '../../../src-shared/ipc/alerts.ts';
import { done, failed } from '../../../src-shared/ipc/failures.ts';
import { MAX_ALERTS } from '../../../src-shared/domain/alerts/open.ts';
import { filtered } from '../../features/alerts/alert-list.ts';
import { fixture, record, type Fixture } from '../../../tests/renderer/app-fixture.ts';

const alert = (changes: Partial<AlertRecord> = {}): AlertRecord => ({
  id: 'a',
  connectionId: 'live-1',
  rule: 'liquidation-danger',
  key: 'liquidation-danger:7',
  at: 1,
  title: 'BTC-USDT-M long: liquidation ≈ 4.90% away',
  text: 'Mark 100, liquidation at 95.10.',
  link: { symbolId: 'BTC-USDT-M' },
  quiet: false,
  acknowledgedAt: null,
  ...changes,
});
const raise = (all: Fixture, one: AlertRecord, notice = true): void =>
  all.push('alert', { do: 'raised', record: one, notice, sound: false });

describe('alerts in the window', () => {
  let all: Fixture;
  beforeEach(async () => {
    all = await fixture();
  });
  const notices = (): string[] => all.app.notices.list.map((one) => one.title);
  const pinned = (): string[] => all.app.alerts.pinned.map((one) => one.id);

  it('has no alert that the log has dropped, which nothing could acknowledge', () => {
    for (let n = 0; n <= MAX_ALERTS; n++) raise(all, alert({ id: String(n) }), false);
    expect(all.app.alerts.records).toHaveLength(MAX_ALERTS);
    expect(pinned().at(-1)).toBe('1');
  });

  it('pins critical alerts until they are acknowledged; others are notices', async () => {
    raise(all, alert());
    raise(all, alert({ id: 'b', rule: 'equity', title: 'Equity fell' }));
    expect(pinned()).toEqual(['a']);
    expect(notices()).toEqual(['Equity fell']);
    all.replies['alerts.acknowledge'] = () => done([alert({ acknowledgedAt: 5 })]);
    await all.app.alerts.acknowledge('a');
    expect(pinned()).toEqual([]);
    expect(all.app.alerts.open.map((one) => one.id)).toEqual(['b']);
  });

  it('shows an alert of another account under its name, and opens Portfolio from the desktop', () => {
    const state = all.app.session.state!;
    const [open] = state.connections;
    const beside = { ...open!, id: 'live-2', settings: { ...open!.settings, name: 'Harbour hedge' } };
    all.push('session', { ...state, connections: [open!, beside] });
    const other = alert({ id: 'o', connectionId: 'live-2' });
    raise(all, other, false);
    raise(all, alert({ ...other, id: 'p', rule: 'equity', title: 'Equity fell' }));
    raise(all, alert({ ...other, connectionId: 'removed' }));
    expect(all.app.notices.list.map((one) => [one.of, one.title, one.stays])).toEqual([
      ['live-2', 'Equity fell', false],
      ['live-2', 'BTC-USDT-M long: liquidation ≈ 4.90% away', true],
    ]);
    expect([pinned(), all.app.alerts.open]).toEqual([[], []]);
    all.push('alert', { do: 'open', record: other });
    expect(all.app.navigation.screen).toBe('portfolio');
  });

  it('keeps a liquidation apart, and ends the warnings that preceded it', async () => {
    const end = {
      rule: 'liquidated',
      link: { symbolId: 'BTC-USDT-M', orderId: '9', positionId: '7' },
    } as const;
    raise(all, alert());
    raise(all, alert({ id: 'b', key: 'liquidation-danger:8' }));
    raise(all, alert({ ...end, id: 'c', key: 'liquidated:9', at: 2, title: 'BTC-USDT-M long liquidated' }));
    expect(pinned()).toEqual(['b']);
    expect(all.app.alerts.liquidations.map((one) => one.id)).toEqual(['c']);
    expect(all.app.alerts.open.filter((one) => all.app.alerts.endedInLiquidation(one))).toEqual([alert()]);
    expect(notices()).toEqual([]);
    all.replies['alerts.acknowledge'] = () => done([]);
    await all.app.alerts.acknowledgeLiquidations();
    const acknowledged = all.requests.filter((one) => one.name === 'alerts.acknowledge');
    expect(acknowledged.map((one) => one.input)).toEqual([
      { connectionId: 'live-1', id: 'c' },
      { connectionId: 'live-1', id: 'a' },
    ]);
  });

  it('stays pinned when the acknowledgement could not be stored', async () => {
    raise(all, alert());
    all.replies['alerts.acknowledge'] = () =>
      failed({ kind: 'file', message: 'Disk full.', next: 'Free some.' });
    await all.app.alerts.acknowledge('a');
    expect(pinned()).toEqual(['a']);
    expect(notices()).toEqual(['Disk full.']);
  });

  it('announces a delivery plainly: no banner, and not in the colour of a warning', () => {
    raise(all, alert({ rule: 'delivered', key: 'delivered:9', title: 'BTC1225-USDT-M long delivered' }));
    expect(all.app.notices.list.map(({ tone, title }) => [tone, title])).toEqual([
      ['info', 'BTC1225-USDT-M long delivered'],
    ]);
    expect([pinned(), all.app.alerts.liquidations]).toEqual([[], []]);
  });

  it('shows no notice during quiet hours, but still pins critical alerts', () => {
    raise(all, alert({ quiet: true }));
    raise(all, alert({ id: 'b', rule: 'equity', quiet: true }), false);
    expect(pinned()).toEqual(['a']);
    expect(notices()).toEqual([]);
  });

  it('leaves an unknown outcome to its own banner, and ends with it', () => {
    all.push('intent', record({ state: 'unknown' }));
    const key = 'unknown:intent-1';
    const status = (raised: string[]): void =>
      all.push('alert', {
        do: 'status',
        connectionId: all.app.session.activeId ?? '',
        status: { raised, unmonitored: [] },
      });
    raise(all, alert({ rule: 'unknown', key, link: { intentId: 'intent-1' } }));
    status([key]);
    expect(pinned()).toEqual([]);
    expect(all.app.alerts.open.map((one) => one.id)).toEqual(['a']);
    all.push('intent', record({ state: 'matched' }));
    status([]);
    expect(pinned()).toEqual([]);
    expect(all.app.alerts.open).toEqual([]);
    expect(filtered(all.app.alerts, 'open', 'any')).toEqual([]);
    expect(filtered(all.app.alerts, 'critical', 'unknown').map((one) => one.id)).toEqual(['a']);
  });

  it('ignores alerts of another connection', () => {
    raise(all, alert({ connectionId: 'live-2' }));
    all.push('alert', { do: 'status', connectionId: 'live-2', status: { raised: ['x'], unmonitored: [] } });
    expect(all.app.alerts.records).toEqual([]);
    expect(all.app.alerts.status.raised).toEqual([]);
  });

  it('opens the place that a clicked notification is about', () => {
    all.push('alert', { do: 'open', record: alert({ rule: 'unknown', link: { intentId: 'intent-1' } }) });
    expect(all.app.navigation.screen).toBe('activity');
    expect(all.app.navigation.link?.intentId).toBe('intent-1');
    all.push('alert', { do: 'open', record: alert({ rule: 'stale', link: {} }) });
    expect(all.app.navigation.screen).toBe('alerts');
  });

  it('keeps an alert that was pushed while the log was read, once', async () => {
    const newest = alert({ id: 'new' });
    const early = await fixture('live', {
      'alerts.list': () =>
        done({
          connectionId: 'live-1',
          records: [newest, alert({ id: 'old' })],
          raised: [],
          unmonitored: [],
        }),
    });
    raise(early, alert({ id: 'newer' }));
    await early.app.alerts.load();
    expect(early.app.alerts.records.map((one) => one.id)).toEqual(['newer', 'new', 'old']);
  });
});
