/** Names the source of a reference price, and the distance of a typed price from it. */
import { sinceText } from '../../src-shared/domain/display/time-left.ts';
import { type Crossing, PRICE_NAMES } from '../../src-shared/domain/order/crossing.ts';
import { readNumber } from '../../src-shared/domain/numeric/number-input.ts';
import { distancePercent, type PercentOrigin } from '../../src-shared/domain/instrument/price-deviation.ts';
import { type Reference, TYPED_LASTS_MS } from '../../src-shared/domain/instrument/reference-prices.ts';
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

/** Returns `crosses, +1.53% from mark` beside the price being typed; null as `distanceFrom`. */
export function awayText(
  price: string,
  reference: Reference | null,
  crossing: Crossing['state'] | undefined,
): string | null {
  const distance = distanceFrom(price, reference);
  return distance && `${crossing === 'crosses' ? 'crosses, ' : ''}${distance.percent} ${distance.from}`;
}

/** Returns what a percentage typed as an order's price starts from: a buy rests below the reference, a sell above it. */
export const restingOrigin = (
  reference: Reference | null,
  side: string,
  decimals: number | null,
): PercentOrigin | null => reference && { from: reference.price, sign: side === 'BUY' ? '-' : '+', decimals };

const NO_TICKER = 'The exchange API gives prices only with positions and with your own fills.';

/** Returns `8 h 54 min ago`. */
const ageOf = ({ at }: Reference, now: number): string => `${sinceText(at, now)} ago`;

/** Returns where the price in use comes from and how old it is, and why there is no market price. */
export function referenceSource(
  { symbolId, held }: { readonly symbolId: string; readonly held: boolean },
  reference: Reference | null,
  now: number,
): string {
  const ago = reference === null ? '' : ageOf(reference, now);
  const price = reference === null ? '' : plainNumber(reference.price);
  const none = held ? '' : ` You hold no position in ${symbolId}.`;
  const used =
    reference === null
      ? 'No fill of yours is known either: enter a reference price.'
      : reference.source === 'typed'
        ? `Ballast uses ${price}, which you typed ${ago}.`
        : `Ballast uses ${price} of your last fill, ${ago}.`;
  return `${NO_TICKER}${none} ${used} Previews and your limits are measured from it.`;
}

/** What a reference price typed from the order's own price means for the limit on the distance. */
export const ownReferenceText = (price: string, limit: string): string =>
  `The reference price you typed is the order’s own price ${price}: your ${limit}% price limit checks nothing. Type the market’s price instead.`;

/** What a typed reference price means that is far from another known price. */
export function farReferenceText(typed: Reference, other: Reference, now: number): string {
  const apart = plainNumber(roundedPrice(distancePercent(typed.price, other.price), 2), { signed: true });
  return `The reference price you typed is ${apart}% from the ${PRICE_NAMES[other.source]} ${other.price}, ${ageOf(other, now)}. Your limits and the preview are measured from the price you typed.`;
}

/**
 * Returns the help of the field for a reference price: why it is asked for, and what the typed one is used for.
 * `seconds`: the age at which the limits reject a price.
 */
export function referenceHelp(reference: Reference | null, isOld: boolean, seconds: number): string {
  const why =
    reference === null
      ? `No price is known. ${NO_TICKER} `
      : isOld
        ? `The latest price is older than ${seconds} s. ${NO_TICKER} `
        : '';
  const lasts = Math.min(seconds, TYPED_LASTS_MS / 1_000);
  return `${why}The price you type is used for previews and limits for ${lasts} s. It is not sent.`;
}
