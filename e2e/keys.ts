/** A user without a mouse: presses keys and reads where the focus is. Locators name a target, they never act on it. */
import type { Locator, Page } from '@playwright/test';
import { expect } from './fixture.ts';

/** The focused element: its accessible name, whether it is in view, and whether a ring, edge or caret marks it. */
interface Stop {
  readonly what: string;
  readonly part: string;
  readonly inView: boolean;
  readonly marked: boolean;
}

/** Of the protocol's modifiers. */
const SHIFT = 8;
/** Key presses in flight together. */
const AT_ONCE = 12;

export class Keys {
  readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }

  press(key: string): Promise<void> {
    return this.page.keyboard.press(key);
  }

  /** Replaces the text of the focused field. */
  async type(text: string): Promise<void> {
    await this.press('Control+a');
    await this.page.keyboard.insertText(text);
  }

  /**
   * Waits for `aim`, which a screen or a sheet may still be loading. Then presses Tab until the focus is on it, checking each
   * stop; at most `most` times, so that a focus trap fails.
   */
  async tabTo(aim: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab', most = 120): Promise<void> {
    await expect(aim).not.toHaveCount(0);
    const passed: string[] = [];
    for (let press = 0; press <= most; press++) {
      const { there, what } = await aim.evaluateAll((all) => {
        const now = document.activeElement;
        const name = now?.getAttribute('aria-label') ?? now?.textContent.trim().slice(0, 40);
        return { there: now !== null && all[0] === now, what: `${now?.tagName} “${name}”` };
      });
      if (there) {
        await this.see();
        return;
      }
      passed.push(what);
      await this.press(key);
    }
    throw new Error(`${most} times ${key} do not lead to ${String(aim)}: ${passed.join(' · ')}`);
  }

  /** Tabs to a field and types into it. */
  async fill(aim: Locator, text: string): Promise<void> {
    await this.tabTo(aim);
    await this.type(text);
    await expect(aim).toHaveValue(text);
  }

  /** Expects a visible focus. */
  async see(): Promise<void> {
    await expect
      .poll(async () => (await this.stop()) ?? 'no focus')
      .toMatchObject({ inView: true, marked: true });
  }

  /** Null while nothing has the focus. */
  async stop(): Promise<Stop | null> {
    return this.page.evaluate(stopNow, await accentOf(this.page));
  }

  /** Presses until the first stop returns; lists each stop once. */
  async round(key: 'Tab' | 'Shift+Tab', most = 250): Promise<readonly Stop[]> {
    // Recorded in the page on key up, so that only the press is awaited.
    const read = await this.page.evaluateHandle<typeof stopNow>(`(${stopNow.toString()})`);
    const colour = await accentOf(this.page);
    const recorder = await this.page.evaluateHandle(
      ([read, colour]) => {
        const stops: Stop[] = [];
        const ending = new AbortController();
        const seen = { stops, first: null as Element | null, isRound: false, end: () => ending.abort() };
        const note = (): void => {
          const stop = read(colour);
          if (stop === null || seen.isRound) return;
          seen.isRound = document.activeElement === seen.first;
          seen.first ??= document.activeElement;
          if (!seen.isRound) stops.push(stop);
        };
        addEventListener('keyup', (event) => event.key === 'Tab' && note(), {
          capture: true,
          signal: ending.signal,
        });
        return seen;
      },
      [read, colour] as const,
    );
    const session = await this.page.context().newCDPSession(this.page);
    const tab = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9, modifiers: key === 'Tab' ? 0 : SHIFT };
    try {
      for (let press = 0; press < most; press += AT_ONCE) {
        // In order, and without drawing a frame for each.
        await Promise.all(
          Array.from({ length: AT_ONCE }, () => ['rawKeyDown', 'keyUp'] as const)
            .flat()
            .map((type) => session.send('Input.dispatchKeyEvent', { type, ...tab })),
        );
        if (await recorder.evaluate((seen) => seen.isRound))
          return await recorder.evaluate((seen) => seen.stops);
      }
      const stops = await recorder.evaluate((seen) => seen.stops.slice(-12).map((one) => one.what));
      throw new Error(`no end of it: ${stops.join(' · ')}`);
    } finally {
      await recorder.evaluate((seen) => seen.end());
      await session.detach();
    }
  }
}

/** The colour of a focus ring, as computed styles write it. */
const accentOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const probe = document.createElement('i');
    probe.style.color = 'var(--accent)';
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  });

/** Runs in the page. */
function stopNow(colour: string): Stop | null {
  const one = document.activeElement;
  if (one === null || one === document.body) return null;
  // A row and the totals are ringed by their cells, a hidden radio by its label, an input by its box.
  const near = [
    one,
    one.firstElementChild,
    one.querySelector('td'),
    one.nextElementSibling,
    one.parentElement,
    one.parentElement?.parentElement ?? null,
  ];
  const marked = near.some((part) => {
    if (part === null) return false;
    const { outlineStyle, outlineColor, outlineWidth, borderTopColor, boxShadow } = getComputedStyle(part);
    const ringed = outlineStyle !== 'none' && outlineColor === colour && parseFloat(outlineWidth) >= 1;
    return ringed || borderTopColor === colour || boxShadow.includes(colour);
  });
  const box = one.getBoundingClientRect();
  // A radio or a switch is drawn by its label.
  const drawn = box.width > 2 ? box : (one.parentElement ?? one).getBoundingClientRect();
  const inView = drawn.bottom > 0 && drawn.right > 0 && drawn.top < innerHeight && drawn.left < innerWidth;
  const label =
    one.getAttribute('aria-label') ??
    (one instanceof HTMLInputElement ? one.labels?.[0]?.textContent : one.textContent);
  const part = one.closest('header, nav, main, aside, footer, dialog, [data-testid="ticket"]');
  return {
    what: `${one.tagName.toLowerCase()} “${(label ?? '').trim().replace(/\s+/g, ' ').slice(0, 40)}”`,
    part: part === null ? '' : part.tagName.toLowerCase(),
    inView,
    marked,
  };
}
