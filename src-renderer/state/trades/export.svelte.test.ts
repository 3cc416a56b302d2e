import { describe, expect, it } from 'vitest';
import type { ExportProgress } from '../../../src-shared/ipc/exports.ts';
import { NO_FILTER, TRADE_COLUMNS } from '../../../src-shared/ipc/trades.ts';
import { FakeBridge, FakeTime } from '../../../tests/renderer/fake-bridge.ts';
import { Clock } from '../runtime/clock.svelte.ts';
import { Notices } from '../session/notices.svelte.ts';
import { Settings } from '../session/settings.svelte.ts';
import { TradeExport } from './export.svelte.ts';
import { OrderNotes } from '../order/notes.svelte.ts';
import { TradeLog } from './log.svelte.ts';

const progress = (more: Partial<ExportProgress> = {}): ExportProgress => ({
  id: 'e1',
  state: 'running',
  rows: 0,
  total: 3,
  bytes: 0,
  path: '/home/me/trades.csv',
  failure: null,
  controlTotals: null,
  readAt: null,
  ...more,
});
const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

async function start(replies: FakeBridge['replies'] = {}) {
  const bridge = new FakeBridge();
  const time = new FakeTime();
  bridge.replies = {
    'trades.page': () => ({ rows: [], noted: [], count: 3, stored: 8 }),
    'trades.totals': () => ({ count: 3, makers: 0, unsided: 0, leftOut: 0, symbols: [], fees: [] }),
    'trades.symbols': () => [],
    'trades.exportPreview': () => 'tradeTime\r\n',
    ...replies,
  };
  const clock = new Clock(time);
  const settings = new Settings(bridge);
  const log = new TradeLog(bridge, clock, settings, new OrderNotes(bridge, clock.time));
  const notices = new Notices(time);
  const file = new TradeExport(bridge, clock, settings, log, notices);
  log.follow('practice');
  file.follow('practice');
  log.fields.values.symbols = ['BTC-USDT-M'];
  await log.apply({ filter: log.fields.query ?? NO_FILTER });
  return { bridge, time, log, file, notices };
}

describe('the export', () => {
  it('requests what is shown: the applied filter, the columns in the order they were chosen', async () => {
    const { file } = await start();
    file.preset = 'custom';
    file.choose('symbol', false);
    file.choose('tradeTime', false);
    file.choose('symbol', true);
    expect(file.query).toMatchObject({
      filter: { symbols: ['BTC-USDT-M'] },
      columns: [...TRADE_COLUMNS.filter((one) => one !== 'tradeTime' && one !== 'symbol'), 'symbol'],
      timeZone: 'UTC',
      spreadsheetSafe: false,
    });
    expect(file.expected).toBe(3);
    file.rows = 'everything';
    expect([file.query?.filter, file.expected]).toEqual([NO_FILTER, 8]);
  });

  it('waits for the filter that is chosen, and begins with no other', async () => {
    const { file, log, bridge } = await start();
    log.fields.usePreset('last-month');
    expect(file.missing).toBe('Applying the filter');
    await file.start();
    expect(bridge.requests.map(({ name }) => name)).not.toContain('trades.export');
    file.rows = 'everything';
    expect(file.missing).toBeNull();
    file.rows = 'filter';
    await log.apply({ filter: log.fields.query ?? NO_FILTER });
    expect(file.missing).toBeNull();
    log.fields.values.priceFrom = '1x';
    file.table = 'orders';
    expect(file.missing).toBe('Correct the filter');
    file.table = 'positions';
    expect(file.missing).toBeNull();
  });

  it('is disabled without a column, and says so', async () => {
    const { file } = await start();
    file.preset = 'custom';
    for (const column of TRADE_COLUMNS) file.choose(column, false);
    expect([file.query, file.missing]).toEqual([null, 'Choose at least one column']);
    file.chooseAll();
    expect(file.missing).toBeNull();
  });

  it('follows its own file to the end, even if a push arrives before the reply', async () => {
    let result: (value: ExportProgress) => void = () => undefined;
    const { file } = await start({
      'trades.export': () => new Promise<ExportProgress>((done) => (result = done)),
    });
    const started = file.start();
    file.receive(progress({ state: 'done', rows: 3 }));
    result(progress());
    await started;
    expect(file.progress).toMatchObject({ state: 'done', rows: 3 });
    file.receive(progress({ id: 'other', rows: 1 }));
    expect(file.progress?.id).toBe('e1');
  });

  it('changes nothing when the dialog was cancelled, and says so', async () => {
    const { file, notices } = await start({ 'trades.export': () => null });
    await file.start();
    expect([file.progress, file.choosing, file.failure]).toEqual([null, false, null]);
    expect(notices.list).toMatchObject([{ title: 'Save cancelled', text: 'No file was written.' }]);
  });

  it('starts no second export while one is being written', async () => {
    const { file, bridge } = await start({ 'trades.export': () => progress() });
    await file.start();
    await file.start();
    expect(bridge.requests.filter((one) => one.name === 'trades.export')).toHaveLength(1);
    expect(file.missing).toMatch(/is running/);
  });

  it('shows the first lines of the last choice only', async () => {
    const { file, time, bridge } = await start();
    const query = file.query;
    if (query === null) throw new Error('no query');
    const takeBack = file.requestPreview(query);
    takeBack();
    file.requestPreview({ ...query, timeFormat: 'epoch-ms' });
    time.pass(200);
    await settled();
    const previews = bridge.requests.filter((one) => one.name === 'trades.exportPreview');
    expect(previews.map((one) => one.input)).toMatchObject([{ timeFormat: 'epoch-ms' }]);
    expect(file.preview).toBe('tradeTime\r\n');
  });

  it('drops a reply for the previous connection', async () => {
    const { file } = await start({ 'trades.export': () => progress() });
    const started = file.start();
    file.follow('meridian');
    await started;
    expect(file.progress).toBeNull();
  });
});
