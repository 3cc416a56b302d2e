/** Names the source of a reference price, and the distance of a typed price from it. */
import { readNumber } from '../../src-shared/domain/numeric/number-input.ts';
import { distancePercent } from '../../src-shared/domain/instrument/price-deviation.ts';
import type { Reference } from '../../src-shared/domain/instrument/reference-prices.ts';
import { roundedPrice } from './estimate-text.ts';
import { plainNumber } from './number-text.ts';

export const REFERENCE_LABELS = {
  mark: 'Mark',
  last: 'Last',
  'own-trade': 'Your fill',
  typed: 'Your price',
} as const;

/** Returns `+1.53%` and `from mark`; null without a reference or while the text is no price. */
export function distanceFrom(
  price: string,
  reference: Reference | null,
): { readonly percent: string; readonly from: string } | null {
  const read = readNumber('Price', price);
  if (reference === null || !read.ok) return null;
  const percent = roundedPrice(distancePercent(read.text, reference.price), 2);
  return {
    percent: `${plainNumber(percent, { signed: true })}%`,
    from: `from ${REFERENCE_LABELS[reference.source].toLowerCase()}`,
  };
}

/** Returns the help of the field for a reference price: why it is asked for, and what the typed one is used for. */
export function referenceHelp(reference: Reference | null, isOld: boolean, seconds: number): string {
  const why =
    reference === null
      ? 'No price is known: there is no position and no fill of yours. '
      : isOld
        ? `The latest price is older than ${seconds} s. `
        : '';
  return `${why}Yours is used for previews and limits for ${seconds} s. It is not sent.`;
}
