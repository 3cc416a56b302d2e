/** Finds texts and controls cut off or out of reach in a window too small for its content, by measuring. */
import type { Page } from '@playwright/test';

/**
 * Lists texts and buttons cut off without an ellipsis or a way to scroll, symbols broken at a hyphen, and parts that
 * scroll horizontally but should not: the page, a screen's main area and an open popover. Tables may; they show a bar.
 */
export const cutTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found = new Set<string>();
    const shown = (one: Element): boolean =>
      one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const name = (one: Element): string => `${one.tagName.toLowerCase()}.${one.classList[0] ?? ''}`;
    const screen = document.querySelector('main > .screen, main');
    for (const one of [document.scrollingElement, screen, ...document.querySelectorAll(':popover-open')])
      if (one !== null && one.scrollWidth > one.clientWidth + 1) found.add(`${name(one)} scrolls sideways`);

    /** Looks for what cuts off an element's text, or all of the button around it. */
    const findCut = (holder: Element, text: DOMRect, words: string): void => {
      const button = holder.closest('button');
      for (let up: Element | null = holder; up !== null && up !== document.body; up = up.parentElement) {
        const { position, overflowX, textOverflow } = getComputedStyle(up);
        if (position === 'fixed' || ['auto', 'scroll'].includes(overflowX) || textOverflow === 'ellipsis')
          return;
        if (overflowX !== 'hidden' && overflowX !== 'clip') continue;
        const box = button === null || button.contains(up) ? text : button.getBoundingClientRect();
        const edge = up.getBoundingClientRect();
        if (box.right > edge.right + 1.5 || box.left < edge.left - 1.5)
          found.add(`${name(up)} cuts “${words.slice(0, 40)}”`);
      }
    };

    /** Looks for symbols broken at a hyphen, the end of a word for the browser, though a line has room for them. */
    const findBroken = (node: Node, range: Range): void => {
      let block = node.parentElement;
      while (block !== null && getComputedStyle(block).display.startsWith('inline'))
        block = block.parentElement;
      const room = block?.clientWidth ?? 0;
      for (const { 0: symbol, index } of (node.textContent ?? '').matchAll(/[A-Z0-9]+(?:-[A-Z0-9]+)+/g)) {
        range.setStart(node, index);
        range.setEnd(node, index + symbol.length);
        const boxes = [...range.getClientRects()];
        const lines = new Set(boxes.map(({ top }) => Math.round(top)));
        const width = boxes.reduce((sum, box) => sum + box.width, 0);
        if (lines.size > 1 && width < room) found.add(`“${symbol}” is broken`);
      }
    };

    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const holder = node.parentElement;
      const words = (node.textContent ?? '').trim();
      if (holder === null || words === '' || !shown(holder)) continue;
      if (holder.closest('.hidden-text, option, script, style, textarea') !== null) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const text = range.getBoundingClientRect();
      if (text.width > 0) findCut(holder, text, words);
      // Requests, which are monospaced, break anywhere.
      if (!getComputedStyle(holder).fontFamily.includes('Mono')) findBroken(node, range);
    }
    return [...found].sort();
  });

/** Lists controls that no scrolling brings into view, as where a part of the screen is left without height. */
export const outOfReach = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const seenOf = (one: Element): DOMRect => {
      let { left, top, right, bottom } = one.getBoundingClientRect();
      for (let up = one.parentElement; up !== null; up = up.parentElement) {
        if (getComputedStyle(up).overflowY === 'visible') continue;
        const edge = up.getBoundingClientRect();
        [left, top] = [Math.max(left, edge.left), Math.max(top, edge.top)];
        [right, bottom] = [Math.min(right, edge.right), Math.min(bottom, edge.bottom)];
      }
      return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
    };
    const controls = document.querySelectorAll(
      'header > *, main :is(button, input, select, summary, dd, td)',
    );
    return [...controls]
      .filter((one) => one.checkVisibility() && one.closest('.hidden-text, [data-index]') === null)
      .filter((one) => {
        one.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        const { width, height } = one.getBoundingClientRect();
        const seen = seenOf(one);
        return seen.width < Math.min(12, width) || seen.height < Math.min(12, height);
      })
      .map(
        (one) => `${one.tagName} “${one.getAttribute('aria-label') ?? one.textContent.trim().slice(0, 40)}”`,
      );
  });

/** Names the focused control if something cuts off its outline. */
export const cutFocus = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const one = document.activeElement;
    if (one === null || one === document.body || one.classList.contains('drawn-over')) return null;
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(one);
    if (outlineStyle === 'none') return null;
    // A pixel less: half pixels.
    const out = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset) - 1;
    const { left, top, right, bottom } = one.getBoundingClientRect();
    for (let up = one.parentElement; up !== null && up !== document.body; up = up.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(up);
      const edge = up.getBoundingClientRect();
      if (
        (overflowX !== 'visible' && (left - out < edge.left || right + out > edge.right)) ||
        (overflowY !== 'visible' && (top - out < edge.top || bottom + out > edge.bottom))
      )
        return `${one.tagName} “${(one.getAttribute('aria-label') ?? one.textContent).trim().slice(0, 40)}” by ${up.tagName}.${up.classList[0] ?? ''}`;
    }
    return null;
  });
