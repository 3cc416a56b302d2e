import type { Page } from '@playwright/test';
import { startPractice } from '../src-practice/index.ts';
import { median, type BenchFile } from './harness.ts';
import { BALLAST, EMPTY_WINDOW, open } from './window/open.ts';

const CALLS = 200;
const LARGE_CALLS = 30;

type Ask = (input?: unknown) => Promise<unknown>;

/** Round trips of one call in the page, ms. */
const roundTrips = (page: Page, call: string, input: unknown, times: number): Promise<number[]> =>
  page.evaluate(
    async ([name, value, count]) => {
      const { ballast, echo } = globalThis as never as { ballast?: Record<string, Ask>; echo?: Ask };
      const ask = ballast?.[name] ?? echo;
      if (ask === undefined) throw new Error('no bridge');
      const taken: number[] = [];
      for (let i = 0; i < count; i++) {
        const started = performance.now();
        await ask(value);
        taken.push(performance.now() - started);
      }
      return taken;
    },
    [call, input, times] as const,
  );

/** Measures calls across the bridge, with sender check and schema, compared with a bare echo of the same values. */
const bench: BenchFile = async ({ report, note }) => {
  // A past long enough to fill the order history: 1,000 records.
  const practice = await startPractice({ seed: 7, history: 3000 });
  const app = await open(BALLAST, 'main [data-field="totalEquities"]', {
    BALLAST_PRACTICE: JSON.stringify({ url: practice.url, ...practice.credentials }),
  });
  const bare = await open(EMPTY_WINDOW, 'h1');
  const values = await app.page.evaluate(async () => {
    const { ballast } = globalThis as never as { ballast: Record<string, Ask> };
    const ask = async (name: string): Promise<unknown> => ballast[name]?.();
    let feeds = await ask('feeds.get');
    const rows = (): number =>
      (feeds as { data?: { history?: { value?: readonly unknown[] } } }).data?.history?.value?.length ?? 0;
    while (rows() === 0) feeds = await ask('feeds.get');
    return { settings: await ask('settings.get'), feeds, rows: rows() };
  });
  note(`${values.rows} orders in the history`);
  report({
    figure: 'round trip of a small call, p50',
    value: median(await roundTrips(app.page, 'settings.get', undefined, CALLS)),
    unit: 'ms',
    baseline: 'bare echo of the same result, no checks',
    baselineValue: median(await roundTrips(bare.page, 'echo', values.settings, CALLS)),
  });
  report({
    figure: `all feeds with ${values.rows} orders, p50`,
    value: median(await roundTrips(app.page, 'feeds.get', undefined, LARGE_CALLS)),
    unit: 'ms',
    baseline: 'bare echo of the same feeds (there and back)',
    baselineValue: median(await roundTrips(bare.page, 'echo', values.feeds, LARGE_CALLS)),
  });
  await bare.close();
  await app.close();
  await practice.stop();
};
export default bench;
