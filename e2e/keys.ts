/** A person without a mouse: keys, and what is seen of where the focus is. Locators name the aim, they touch nothing. */
import type { Locator, Page } from '@playwright/test';
import { expect } from './fixture.ts';

/** What has the focus: its name for a reader, whether it is in view, and whether a ring, edge or caret shows it. */
interface Stop {
  readonly what: string;
  readonly part: string;
  readonly inView: boolean;
  readonly marked: boolean;
}

/** Of the protocol's modifiers. */
const SHIFT = 8;
/** Presses on their way together. */
const AT_ONCE = 12;

export class Keys {
  readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }

  press(key: string): Promise<void> {
    return this.page.keyboard.press(key);
  }

  /** Replaces what is in the field that has the focus. */
  async type(text: string): Promise<void> {
    await this.press('Control+a');
    await this.page.keyboard.insertText(text);
  }

  /** Tab until the focus is on `aim`, each stop on the way seen; `most` presses, so that a trap is a failure. */
  async tabTo(aim: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab', most = 120): Promise<void> {
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

  /** Tab to a field, and what is typed into it. */
  async fill(aim: Locator, text: string): Promise<void> {
    await this.tabTo(aim);
    await this.type(text);
    await expect(aim).toHaveValue(text);
  }

  /** The focus can be seen where it is. */
  async see(): Promise<void> {
    await expect
      .poll(async () => (await this.stop()) ?? 'no focus')
      .toMatchObject({ inView: true, marked: true });
  }

  /** Null while nothing has the focus. */
  async stop(): Promise<Stop | null> {
    return this.page.evaluate(stopNow, await accentOf(this.page));
  }

  /** Presses until the first stop comes again: each stop on the way, once. */
  async round(key: 'Tab' | 'Shift+Tab', most = 250): Promise<readonly Stop[]> {
    // Written down in the page as the key goes up, so that a press is all there is to wait for.
    const read = await this.page.evaluateHandle<typeof stopNow>(`(${stopNow.toString()})`);
    const colour = await accentOf(this.page);
    const walk = await this.page.evaluateHandle(
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
        // In order, and without a frame drawn for each.
        await Promise.all(
          Array.from({ length: AT_ONCE }, () => ['rawKeyDown', 'keyUp'] as const)
            .flat()
            .map((type) => session.send('Input.dispatchKeyEvent', { type, ...tab })),
        );
        if (await walk.evaluate((seen) => seen.isRound)) return await walk.evaluate((seen) => seen.stops);
      }
      const stops = await walk.evaluate((seen) => seen.stops.slice(-12).map((one) => one.what));
      throw new Error(`no end of it: ${stops.join(' · ')}`);
    } finally {
      await walk.evaluate((seen) => seen.end());
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
  // A row is ringed by its cells, a hidden radio by its label, an input by its box.
  const near = [
    one,
    one.firstElementChild,
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
