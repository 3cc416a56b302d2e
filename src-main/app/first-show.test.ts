import { expect, it } from 'vitest';
import { showWhenDrawn } from './first-show.ts';

function opened(maximized = false) {
  const did: string[] = [];
  let drawn = (): void => undefined;
  let passed = (): void => undefined;
  let destroyed = false;
  const shown = showWhenDrawn(
    {
      once: (_event, listener) => (drawn = listener),
      isDestroyed: () => destroyed,
      maximize: () => void did.push('maximize'),
      show: () => void did.push('show'),
    },
    maximized,
    {
      after(ms, run) {
        expect(ms).toBe(5_000);
        passed = run;
        return () => undefined;
      },
    },
  );
  return { did, shown, drawn: () => drawn(), passed: () => passed(), closed: () => (destroyed = true) };
}

it('a window is shown when its page is drawn, once', async () => {
  const one = opened(true);
  expect(one.did).toEqual([]);
  one.drawn();
  one.passed();
  await one.shown;
  expect(one.did).toEqual(['maximize', 'show']);
});

it('a window whose page draws nothing is shown after five seconds', async () => {
  const one = opened();
  one.passed();
  one.drawn();
  await one.shown;
  expect(one.did).toEqual(['show']);
});

it('a window that was closed meanwhile is left alone', async () => {
  const one = opened();
  one.closed();
  one.passed();
  await one.shown;
  expect(one.did).toEqual([]);
});
