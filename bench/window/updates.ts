/** Measures the main-thread cost of page updates, and its minimum. */
import type { Page } from '@playwright/test';

export interface Spent {
  readonly scriptMs: number;
  readonly taskMs: number;
}

async function counters(page: Page): Promise<{ read: () => Promise<Spent> }> {
  const cdp = await page.context().newCDPSession(page);
  // Processor time: the wall clock of a busy machine includes other processes.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  return {
    async read() {
      const { metrics } = await cdp.send('Performance.getMetrics');
      const of = (name: string): number => (metrics.find((one) => one.name === name)?.value ?? 0) * 1000;
      return { scriptMs: of('ScriptDuration'), taskMs: of('TaskDuration') };
    },
  };
}
const known = new WeakMap<Page, ReturnType<typeof counters>>();

/** ms of processor time the page's main thread used while `act` ran. */
export async function spent(page: Page, act: () => Promise<void>): Promise<Spent> {
  const pending = known.get(page) ?? counters(page);
  known.set(page, pending);
  const { read } = await pending;
  const before = await read();
  await act();
  const after = await read();
  return { scriptMs: after.scriptMs - before.scriptMs, taskMs: after.taskMs - before.taskMs };
}

export interface Frames {
  /** Longest gap between two, ms. */
  readonly longest: number;
  /** Frames that were not drawn. */
  readonly missed: number;
  readonly longTasks: number;
}

/** Watches the frames of a page until `end`. */
export async function frames(page: Page): Promise<{ end: () => Promise<Frames> }> {
  const watching = await page.evaluateHandle(() => {
    let longTasks = 0;
    const observer = new PerformanceObserver((list) => (longTasks += list.getEntries().length));
    observer.observe({ entryTypes: ['longtask'] });
    let longest = 0;
    let missed = 0;
    let last = performance.now();
    let on = true;
    const FRAME_MS = 1000 / 60;
    const frame = (now: number): void => {
      longest = Math.max(longest, now - last);
      missed += Math.max(0, Math.round((now - last) / FRAME_MS) - 1);
      last = now;
      if (on) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    return {
      end() {
        on = false;
        observer.disconnect();
        return { longest, missed, longTasks };
      },
    };
  });
  return { end: () => watching.evaluate((one) => one.end()) };
}

/**
 * A table of the given cells, each updated by `textContent` as a page without a framework would: no parsing, no
 * bridge, no sorting.
 */
export async function manualUpdates(
  page: Page,
  cells: readonly (readonly string[])[],
  updates: number,
): Promise<Spent[]> {
  await page.evaluate((rows) => {
    const table = document.createElement('table');
    for (const row of rows) {
      const line = table.insertRow();
      for (const text of row) line.insertCell().textContent = text;
    }
    document.body.append(table);
  }, cells);
  const runs: Spent[] = [];
  for (let update = 1; update <= updates; update++) {
    // Prepared before the clock runs: only the writing is measured.
    const write = await page.evaluateHandle((by) => {
      const all = [...document.querySelectorAll('td')].map((cell) => ({
        cell,
        text: cell.textContent.replace(/\d/g, (digit) => String((Number(digit) + by) % 10)),
      }));
      return () =>
        new Promise<void>((drawn) => {
          // By a timer, as a push arrives: evaluation by a driver is not counted as script.
          setTimeout(() => {
            for (const { cell, text } of all) cell.textContent = text;
            requestAnimationFrame(() => requestAnimationFrame(() => drawn()));
          });
        });
    }, update);
    runs.push(await spent(page, () => write.evaluate((go) => go())));
  }
  return runs;
}
