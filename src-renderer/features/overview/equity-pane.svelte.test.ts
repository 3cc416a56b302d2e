import { fireEvent, render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import type { EquitySamples } from '../../../src-shared/ipc/archive.ts';
import { done } from '../../../src-shared/ipc/failures.ts';
import { DAY_MS } from '../../../src-shared/time.ts';
import { account, asset, NOW } from '../../../tests/domain/order-samples.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import { shownAs } from '../../text/shown-as.svelte.ts';
import EquityPane from './EquityPane.svelte';
import { Past } from './past.svelte.ts';

const recorded = (...equities: readonly string[]): EquitySamples => ({
  points: equities.map((equity, minute) => ({
    ...{ at: NOW + minute * 60_000, equity, balance: equity, available: equity, profitUnreal: '0' },
  })),
  samples: equities.length,
  coins: [],
  moves: [],
});

async function drawn() {
  // The chart waits for it; happy-dom has none.
  vi.stubGlobal('requestIdleCallback', () => 0);
  vi.stubGlobal('cancelIdleCallback', () => undefined);
  const { app, accountIs } = await fixture();
  const past = new Past(app);
  const { container } = render(InApp, { app, component: EquityPane as never, given: { past } });
  return { past, container, accountIs };
}

it('shows one sample as a figure, and draws a chart from two on', async () => {
  const { past, container } = await drawn();
  const shown = async (samples: EquitySamples): Promise<string> => {
    await past.equity.load(Promise.resolve(done(samples)));
    flushSync();
    return container.textContent;
  };
  expect(await shown(recorded('104000.5'))).toMatch(/One sample so far.*104,000\.5/s);
  expect(container.querySelector('canvas')).toBeNull();
  expect(await shown(recorded('104000.5', '104001'))).not.toContain('One sample so far');
  expect(container.querySelector('canvas')).not.toBeNull();
  // Nothing is drawn on it yet, so nothing says where the tag of the newest value belongs.
  expect(container.querySelector('.tag')).toBeNull();
  expect(container.querySelector('[aria-busy="true"] canvas')).not.toBeNull();
  // None of another range is left.
  expect(await shown(recorded())).toContain('Nothing recorded in this range');
  expect(container.querySelector('canvas')).toBeNull();
});

it('lists a balance change whose explanation cannot be read, without an amount', async () => {
  const { past, container } = await drawn();
  const moves = [{ at: NOW, coin: 'USDT', residual: null, verdict: 'possible-transfer' }] as const;
  await past.equity.load(Promise.resolve(done({ ...recorded('1000', '1018'), moves })));
  flushSync();
  const button = screen.getByRole('button', { name: '1 possible transfer' });
  const panel = document.getElementById(button.getAttribute('popovertarget') ?? '')!;
  await fireEvent(panel, Object.assign(new Event('toggle'), { newState: 'open' }));
  expect(container.querySelector('.moves td:last-child')?.textContent).toBe('—');
});

it('cuts the equity as the total is, also where its unit is not known', async () => {
  const { past, container, accountIs } = await drawn();
  shownAs.quoteCoins = new Set(['USDT']);
  accountIs({ ...account([], [asset({ equities: '60000' })]), totalEquities: '104000.12345' });
  await past.equity.load(Promise.resolve(done(recorded('104000.12345'))));
  flushSync();
  expect(container.textContent).toMatch(/104,000\.12345 at /);
  expect(container.querySelector('.cut')?.textContent).toBe('345');
});

it('names the day recording began, unless it was today', async () => {
  const { past, container } = await drawn();
  const begun = async (ago: number): Promise<string> => {
    const { points, ...others } = recorded('104000', '104001');
    const own = points.map((one) => ({ ...one, at: one.at - ago }));
    const at = NOW - ago;
    past.equityCoin = 'USDT';
    past.equityRange = 'All';
    past.before = { at, days: [{ day: at - 2 * DAY_MS, results: [{ coin: 'USDT', net: '1' }] as never }] };
    await past.equity.load(Promise.resolve(done({ ...others, points: own })));
    flushSync();
    return container.querySelector('.chart-legend')?.textContent ?? '';
  };
  expect(await begun(0)).toMatch(/recorded here from \d\d:\d\d:\d\d/);
  expect(await begun(40 * DAY_MS)).toMatch(/recorded here from \d{4}-\d\d-\d\d/);
});
