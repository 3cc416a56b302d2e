import { describe, expect, it } from 'vitest';
import { render } from '@testing-library/svelte';
import { amountText, NO_VALUE, shareText, type ShownText, sideText } from '../../text/shown-text.ts';
import { distanceText } from '../figure/distance-text.ts';
import Shown from '../figure/ShownText.svelte';
import { textWriter, titleOf } from './text-writer.ts';

const SAMPLES: readonly ShownText[] = [
  amountText('1042313.75', { decimals: 4 }, false),
  amountText('1042999.75', { decimals: 4 }, false),
  amountText('-0.000000012345', { signed: true, strong: true }, false),
  amountText('0.00', {}, false),
  amountText('12345.678', { estimate: true, large: true, unit: 'USDT' }, false),
  amountText('98648.72', { signed: true }, true),
  amountText('', {}, false),
  shareText('0.1011', { signed: true, coloured: true }),
  distanceText('-0.0412', 'BUY'),
  distanceText(null, 'BUY'),
  sideText('BUY', 'position'),
  NO_VALUE,
];

describe('a written text', () => {
  it('matches what the component draws, whatever was there before', () => {
    const place = document.createElement('p');
    const write = textWriter(place);
    for (const before of SAMPLES)
      for (const shown of SAMPLES) {
        write(before);
        write(shown);
        const drawn = render(Shown, { shown }).container.querySelector('.shown')!;
        expect(plain(place.firstElementChild!)).toEqual(plain(drawn));
        expect(titleOf(place.firstElementChild!)).toBe(drawn.getAttribute('title') ?? undefined);
      }
  });

  it('touches only what changed', () => {
    const place = document.createElement('p');
    const write = textWriter(place);
    write(amountText('1042313.75', {}, false));
    const parts = [...place.firstElementChild!.childNodes];
    write(amountText('1042999.80', {}, false));
    expect([...place.firstElementChild!.childNodes]).toEqual(parts);
    expect(place.textContent).toBe('1,042,999.80');
  });
});

/** Returns what is visible, without the anchors that a component leaves between its parts. */
function plain(element: Element): unknown {
  return {
    className: element.className.trim(),
    text: element.textContent,
    bar: (element as HTMLElement).style.getPropertyValue('--bar'),
    parts: [...element.children].map((part) => [
      part.className,
      part.textContent,
      part.getAttribute('aria-hidden'),
    ]),
  };
}
