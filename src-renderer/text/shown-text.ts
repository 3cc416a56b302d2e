/**
 * A figure as it is shown: what it says, how it looks, what it means in full. Drawn by ShownText.svelte, and in tables
 * by text-writer.ts, which makes no component for it.
 */
import { signOf } from '../../src-shared/amount.ts';
import { HIDDEN } from '../../src-shared/domain/display/privacy-mask.ts';
import { type RatioUnit, shareOf } from '../../src-shared/domain/margin/ratio-unit.ts';
import type { CoinDecimals } from './coin-decimals.ts';
import { groupMark, numberText, percentOf, plainNumber } from './number-text.ts';

/** A part of it that looks otherwise stands in an element of its own. */
export interface StyledPiece {
  readonly text: string;
  /** Classes (styles/figures.css). */
  readonly look: string;
  /** Not read aloud. */
  readonly silent?: true;
  /** Begins a line of its own. */
  readonly line?: true;
}
export interface ShownText {
  readonly pieces: readonly (string | StyledPiece)[];
  /** Classes of the whole. */
  readonly look: string;
  /** What was received, digit for digit, or what is meant. */
  readonly title?: string | undefined;
  /** Length of the bar under it, percent of its full one. */
  readonly bar?: number;
}

/** There is no value. */
export const NO_VALUE: ShownText = { pieces: ['—'], look: 't3' };
/** Longer ones are cut; the title has all of it. */
const SHOWN_RECEIVED = 24;

/** A text in place of a figure that could not be read from it. */
export function unreadText(received: string, hidden = false): ShownText {
  if (hidden) return HIDDEN_AMOUNT;
  const text = received.length > SHOWN_RECEIVED ? `${received.slice(0, SHOWN_RECEIVED - 1)}…` : received;
  const why = /^[+-]?[\d.]+(?:[eE][+-]?\d+)?$/.test(received)
    ? 'too many digits to calculate with'
    : 'cannot be read as this figure';
  return { pieces: [text], look: 'unread', title: `As received: ${received} (${why})` };
}

const HIDDEN_AMOUNT: ShownText = {
  pieces: [
    { text: HIDDEN, look: '', silent: true },
    { text: 'hidden', look: 'hidden-text' },
  ],
  look: 't3 nowrap',
};
/** Digits that are there to copy and to be read aloud, and not seen: a dotted tail stands for them. */
export const CUT = 'cut';
const ABOUT: StyledPiece = { text: '≈\u2009', look: 't3' };

export interface AmountOptions {
  /** Column scale: zeros are padded up to it, digits beyond it are kept. */
  readonly decimals?: number | undefined;
  /** How many decimals are shown; all of them without it. What is cut stays in the text, unseen. */
  readonly cut?: CoinDecimals | null | undefined;
  /** For the title alone. */
  readonly unit?: string | undefined;
  /** PnL, changes, distances: + and −, coloured unless `plain`. */
  readonly signed?: boolean | undefined;
  readonly plain?: boolean | undefined;
  /** Calculated by Ballast: marked ≈. */
  readonly estimate?: boolean | undefined;
  /** Zero as a grey 0 (default) or with its decimals, as a price or balance line wants it. */
  readonly zero?: 'grey' | 'full' | undefined;
  readonly strong?: boolean | undefined;
  /** A large figure: more than four decimals are set smaller, so that all digits have room. */
  readonly large?: boolean | undefined;
}

let marks: StyledPiece = { text: groupMark(), look: 'g' };
/** One object for all, so that a text is compared with the one before at a glance. */
function markPiece(): StyledPiece {
  const text = groupMark();
  if (marks.text !== text) marks = { text, look: 'g' };
  return marks;
}

/** A decimal text as received (or printed by amount.ts); '' and null show as —. */
export function amountText(value: string | null, options: AmountOptions, hidden: boolean): ShownText {
  if (value === null || value === '') return NO_VALUE;
  if (hidden) return HIDDEN_AMOUNT;
  const sign = signOf(value);
  const grey = sign === 0 && (options.zero ?? 'grey') === 'grey';
  const { sign: mark, groups, fraction, rest } = grey ? numberText('0') : numberText(value, options);
  const pieces: (string | StyledPiece)[] = options.estimate ? [ABOUT] : [];
  const last = groups.length - 1;
  const fine = options.large === true && fraction.length > 5;
  for (const [at, group] of groups.entries()) {
    if (at > 0) pieces.push(markPiece());
    pieces.push(`${at === 0 ? mark : ''}${group}${at === last && !fine ? fraction : ''}`);
  }
  if (fine) pieces.push({ text: fraction, look: 'fine' });
  if (rest !== '') pieces.push({ text: rest, look: CUT });
  const tone =
    sign === 0 ? ' zero' : options.signed !== true || options.plain ? '' : sign < 0 ? ' dn' : ' up';
  return {
    pieces,
    look: `amount${tone}${options.strong ? ' strong' : ''}`,
    title: `${options.estimate ? '≈ ' : ''}${value}${options.unit === undefined ? '' : ` ${options.unit}`}`,
  };
}

const textOf = (piece: string | StyledPiece): string => (typeof piece === 'string' ? piece : piece.text);
const TONES = ['up', 'dn', 'warn', 'danger'];
/** The tone of a whole text, for a part of another. */
export const toneOf = ({ look }: ShownText): string =>
  look.split(' ').find((one) => TONES.includes(one)) ?? '';

/** Two figures in one cell: the second under the first, smaller, in a tone of its own. */
export function stackedText(first: ShownText, second: ShownText): ShownText {
  const under = second.pieces.map(textOf).join('');
  const titles = [first.title, second.title === undefined ? undefined : under].filter(
    (one) => one !== undefined,
  );
  return {
    pieces: [...first.pieces, { text: under, look: `under ${toneOf(second)}`, line: true }],
    look: `${first.look} stacked`,
    ...(titles.length === 0 ? {} : { title: titles.join(' · ') }),
  };
}

/** The figure with its coin behind it. */
export const withUnit = (text: ShownText, unit: string | undefined): ShownText =>
  unit === undefined || text === NO_VALUE || text === HIDDEN_AMOUNT
    ? text
    : {
        ...text,
        pieces: [...text.pieces, { text: `\u2009${unit}`, look: 'unit' }],
        title: text.title === undefined ? undefined : `${text.title} ${unit}`,
      };

const UNIT_UNKNOWN = 'As received: it is unknown whether 1 or 100 is 100%. Set it in Settings › Connections.';

/** A rate of the exchange: in percent once its unit is known, until then as received. */
export function rateText(rate: string | null, unit: RatioUnit | null, options: ShareOptions = {}): ShownText {
  const share = shareOf(rate, unit);
  if (share !== null || rate === null || rate === '') return shareText(share, options);
  return { pieces: [rate], look: 'percent', title: UNIT_UNKNOWN };
}

export interface ShareOptions {
  readonly signed?: boolean | undefined;
  /** Coloured by its sign as profit is. */
  readonly coloured?: boolean | undefined;
  readonly estimate?: boolean | undefined;
}

/** A share as decimal text: `0.1011` shows as 10.11%; '' and null as —. */
export function shareText(value: string | null, options: ShareOptions = {}): ShownText {
  if (value === null || value === '') return NO_VALUE;
  const percent = percentOf(value);
  const sign = options.coloured ? signOf(percent) : 0;
  const text = `${plainNumber(percent, options)}%`;
  return {
    pieces: options.estimate ? [ABOUT, text] : [text],
    look: sign === 0 ? 'percent' : sign < 0 ? 'percent dn' : 'percent up',
    title: value,
  };
}

/**
 * BUY or SELL of an order or a trade, a position’s says Long and Short; another text is shown as it is, without a
 * mark.
 */
export function sideText(side: string, of: 'order' | 'position' = 'order'): ShownText & { pieces: [string] } {
  const [long, short] = of === 'position' ? ['Long', 'Short'] : ['Buy', 'Sell'];
  if (side === 'BUY') return { pieces: [long], look: 'side up' };
  if (side === 'SELL') return { pieces: [short], look: 'side dn' };
  return { pieces: [side], look: 'side' };
}
