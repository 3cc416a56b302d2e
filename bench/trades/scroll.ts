/**
 * Measures scrolling the trade log of the built app by wheel, keys and drag: script time per frame from Chromium's
 * trace, and rows left blank at rest. The baseline is a window of plain rows in the same page.
 */
import type { CDPSession, Page } from '@playwright/test';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src-main/archive/sqlite/database.ts';
import { TradeWriter } from '../../src-main/archive/trades/writer.ts';
import { StringTable } from '../../src-main/archive/sqlite/string-table.ts';
import { startPractice } from '../../src-practice/index.ts';
import type { Bench } from '../harness.ts';
import { BALLAST, open } from '../window/open.ts';
import { pages, ROWS, rowsOf } from './made.ts';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly ts: number;
  /** µs of the clock, and of the thread's own time, which excludes other programs. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly pid: number;
  readonly tid: number;
}
/** Events that enter scripts. Calls inside them are not counted again. */
const SCRIPTS = new Set([
  'FunctionCall',
  'RunMicrotasks',
  'EvaluateScript',
  'FireAnimationFrame',
  'EventDispatch',
  'TimerFire',
]);
/**
 * Layout that a script forced early (a focus, a scroll position) and the frame would have done anyway. Subtracted,
 * as DevTools does in "Scripting".
 */
const LAYOUT = new Set(['Layout', 'UpdateLayoutTree']);
const FRAME = 'Commit';
const STEPS = 300;

/** Script time in ms before each frame while `act` ran. */
async function scripting(cdp: CDPSession, act: () => Promise<void>): Promise<number[]> {
  const events: TraceEvent[] = [];
  const take = ({ value }: { value: unknown[] }): void => void events.push(...(value as TraceEvent[]));
  cdp.on('Tracing.dataCollected', take);
  await cdp.send('Tracing.start', {
    traceConfig: {
      includedCategories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'toplevel'],
    },
    transferMode: 'ReportEvents',
  });
  await act();
  const ended = new Promise((done) => cdp.once('Tracing.tracingComplete', done));
  await cdp.send('Tracing.end');
  await ended;
  cdp.off('Tracing.dataCollected', take);
  return framesOf(events);
}

function framesOf(events: readonly TraceEvent[]): number[] {
  // The page's own thread: the one with most of the frames' scripts.
  const entered = events.filter(({ name, ph }) => ph === 'X' && SCRIPTS.has(name));
  const threads = Map.groupBy(entered, ({ pid, tid }) => `${pid} ${tid}`);
  const [thread] = [...threads].sort(([, a], [, b]) => b.length - a.length);
  if (thread === undefined) return [];
  const scripts = thread[1].sort((a, b) => a.ts - b.ts);
  const frames = events
    .filter(({ name, pid, tid }) => name === FRAME && `${pid} ${tid}` === thread[0])
    .map(({ ts }) => ts)
    .sort((a, b) => a - b);
  const layouts = events
    .filter(({ name, ph, pid, tid }) => ph === 'X' && LAYOUT.has(name) && `${pid} ${tid}` === thread[0])
    .sort((a, b) => a.ts - b.ts);
  const spent = frames.map(() => 0);
  const own = (event: TraceEvent): number => (event.tdur ?? event.dur ?? 0) / 1_000;
  let frame = 0;
  let layout = 0;
  let until = 0;
  for (const script of scripts) {
    if (script.ts < until) continue;
    until = script.ts + (script.dur ?? 0);
    while (frame < frames.length && frames[frame]! < script.ts) frame++;
    if (frame === frames.length) break;
    spent[frame]! += own(script);
    while (layout < layouts.length && layouts[layout]!.ts < script.ts) layout++;
    for (; layout < layouts.length && layouts[layout]!.ts < until; layout++)
      spent[frame]! -= own(layouts[layout]!);
  }
  return spent;
}

const share = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ??
  Number.NaN;

/** Rows in view without figures, once scrolling stopped and pending requests had a second. */
async function blankAtRest(page: Page): Promise<number> {
  await page
    .waitForFunction(() => document.querySelector('[role=grid] .waits') === null, undefined, {
      timeout: 1_000,
    })
    .catch(() => null);
  return page.locator('[role=grid] .waits').count();
}

/** Drags the strip a bit further in each frame. */
const drag = (page: Page, selector: string, steps: number): Promise<void> =>
  page.locator(selector).evaluate(
    (strip, count) =>
      new Promise<void>((done) => {
        const most = strip.scrollHeight - strip.clientHeight;
        let step = 0;
        const next = (): void => {
          strip.scrollTop = most * (0.5 + 0.49 * Math.sin(step / 40));
          if (step++ < count) requestAnimationFrame(next);
          else done();
        };
        next();
      }),
    steps,
  );

/** Forty plain rows of twelve cells, rewritten at each scroll position: the minimum. */
const bareList = (page: Page, rows: number): Promise<void> =>
  page.evaluate((count) => {
    const list = document.createElement('div');
    list.id = 'bare';
    Object.assign(list.style, {
      position: 'fixed',
      inset: '0',
      overflow: 'auto',
      zIndex: '99',
      background: '#000',
    });
    const strip = document.createElement('div');
    Object.assign(strip.style, { height: '8000000px' });
    const view = document.createElement('div');
    Object.assign(view.style, { position: 'sticky', top: '0', height: '0' });
    const lines = Array.from({ length: 40 }, () => {
      const line = document.createElement('div');
      for (let cell = 0; cell < 12; cell++) line.append(document.createElement('span'));
      view.append(line);
      return line;
    });
    strip.append(view);
    list.append(strip);
    document.body.append(list);
    list.addEventListener('scroll', () => {
      const first = Math.floor((list.scrollTop / 8_000_000) * count);
      lines.forEach((line, at) => {
        for (const [cell, span] of [...line.children].entries()) span.textContent = `${first + at}.${cell}0`;
      });
    });
  }, rows);

async function measured(page: Page, { report, note }: Bench): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('HeapProfiler.collectGarbage');
  const grid = page.getByRole('grid', { name: /Trades/ });
  const box = await grid.boundingBox();
  if (box === null) throw new Error('the trade log is not on the screen');
  const wheel = async (by: number): Promise<void> => {
    await page.mouse.move(box.x + 300, box.y + 200);
    for (let step = 0; step < STEPS; step++) await page.mouse.wheel(0, by);
  };
  const keys = async (key: string, times: number): Promise<void> => {
    for (let step = 0; step < times; step++) await page.keyboard.press(key);
  };
  const ways: readonly (readonly [string, () => Promise<void>])[] = [
    ['wheel', () => wheel(240)],
    ['wheel back', () => wheel(-700)],
    ['drag', () => drag(page, '[role=grid]', STEPS)],
    ['arrow keys', () => keys('ArrowDown', STEPS)],
    ['page keys', () => keys('PageDown', STEPS)],
    [
      'Home and End',
      async () => {
        for (let turn = 0; turn < STEPS; turn++) await keys(turn % 2 === 0 ? 'End' : 'Home', 1);
      },
    ],
  ];
  await keys('Home', 1);
  let blank = 0;
  for (const [way, act] of ways) {
    const frames = await scripting(cdp, act);
    blank += await blankAtRest(page);
    note(
      `${way}: ${frames.length} frames, median ${share(frames, 0.5).toFixed(2)} ms, most ${share(frames, 1).toFixed(1)} ms`,
    );
    report({
      figure: `script a frame at p99, ${way}`,
      value: share(frames, 0.99),
      unit: 'ms',
      baseline: 'target',
      baselineValue: 8,
    });
  }
  report({ figure: 'blank rows at rest', value: blank, unit: 'rows', baseline: 'target', baselineValue: 0 });
  const ours = await scripting(cdp, () => drag(page, '[role=grid]', STEPS));
  await bareList(page, ROWS);
  const bare = await scripting(cdp, () => drag(page, '#bare', STEPS));
  report({
    figure: 'script a frame, drag, median',
    value: share(ours, 0.5),
    unit: 'ms',
    baseline: 'bare pooled window',
    baselineValue: share(bare, 0.5),
  });
}

export async function scrolling(out: Bench): Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), 'ballast-bench-scroll-'));
  const practice = await startPractice({ seed: 7, history: 200 });
  const env = {
    BALLAST_PRACTICE: JSON.stringify({
      url: practice.url,
      ...practice.credentials,
      controls: { url: practice.controls.url, token: practice.controls.token },
    }),
  };
  const ready = 'main [data-field="totalEquities"]';
  try {
    const first = await open(BALLAST, ready, env, profile);
    await first.page.locator('[data-screen="trades"]').click();
    await first.page
      .getByRole('region', { name: 'Trade sync' })
      .getByText('Complete', { exact: true })
      .waitFor();
    await first.close();
    const [file] = globSync(join(profile, 'archive', '*.sqlite'));
    if (file === undefined) throw new Error(`no archive in ${profile}`);
    const { db } = openDatabase(file, 'practice', 0);
    const writer = new TradeWriter(db, new StringTable(db));
    for (const text of pages(10_000)) writer.insert(rowsOf(text), null, 0);
    db.close();
    const app = await open(BALLAST, ready, env, profile);
    await app.page.setViewportSize({ width: 1440, height: 900 });
    await app.page.locator('[data-screen="trades"]').click();
    await app.page.locator('[role=grid] [data-index="0"] [data-field="price"]').waitFor();
    await measured(app.page, out);
    await app.close();
  } finally {
    await practice.stop();
    rmSync(profile, { recursive: true, force: true });
  }
}
