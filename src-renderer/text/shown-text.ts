/**
 * A figure as it is displayed: its text, style and tooltip. Drawn by ShownText.svelte, and in tables by text-writer.ts,
 * which needs no component for it.
 */
import { signOf } from '../../src-shared/amount.ts';
import { HIDDEN } from '../../src-shared/domain/display/privacy-mask.ts';
import { type RatioUnit, shareOf } from '../../src-shared/domain/margin/ratio-unit.ts';
import type { PriceMove } from '../../src-shared/domain/risk/after-fills.ts';
import type { CoinDecimals } from './shown-as.svelte.ts';
import { groupMark, numberText, percentOf, plainDistance, plainNumber } from './number-text.ts';
import { ageText } from './time-text.ts';

/** A part of the text with a style of its own, drawn as an element. */
export interface StyledPiece {
  readonly text: string;
  /** CSS classes (styles/figures.css). */
  readonly className: string;
  /** Hidden from screen readers. */
  readonly silent?: true;
  /** Starts a new line. */
  readonly line?: true;
}
export type Piece = string | StyledPiece;
export interface ShownText {
  readonly pieces: readonly Piece[];
  /** CSS classes of the whole text. */
  readonly className: string;
  /** The value as received, digit for digit, or its meaning. */
  readonly title?: string | undefined;
  /** Length of the bar below the figure, in percent of the full length. */
  readonly bar?: number;
}

/** Shown where there is no value. */
export const NO_VALUE: ShownText = { pieces: ['—'], className: 't3' };
/** A longer text is cut; its title has all of it. */
const SHOWN_RECEIVED = 24;

/** Shows the received text where it could not be read as a figure. */
export function unreadText(received: string, hidden = false): ShownText {
  if (hidden) return HIDDEN_AMOUNT;
  const text = received.length > SHOWN_RECEIVED ? `${received.slice(0, SHOWN_RECEIVED - 1)}…` : received;
  const why = /^[+-]?[\d.]+(?:[eE][+-]?\d+)?$/.test(received)
    ? 'too many digits to calculate with'
    : 'cannot be read as this figure';
  return { pieces: [text], className: 'unread', title: `As received: ${received} (${why})` };
}

const HIDDEN_AMOUNT: ShownText = {
  pieces: [
    { text: HIDDEN, className: '', silent: true },
    { text: 'hidden', className: 'hidden-text' },
  ],
  className: 't3 nowrap',
};
/** Class of the cut digits, which can be copied and are read aloud but not seen: a dotted tail stands for them. */
export const CUT = 'cut';
/** Class of an amount's coin. */
export const UNIT = 'unit';
const ABOUT: StyledPiece = { text: '≈\u2009', className: 't3' };

export interface AmountOptions {
  /** Pads with zeros to the column's scale; more digits are kept. */
  readonly decimals?: number | undefined;
  /** How many decimals are shown; without it all. Cut digits stay in the text, invisible. */
  readonly cut?: CoinDecimals | null | undefined;
  /** Named in the title only. */
  readonly unit?: string | undefined;
  /** For PnL, changes and distances: with + or −, and coloured unless `plain`. */
  readonly signed?: boolean | undefined;
  readonly plain?: boolean | undefined;
  /** Calculated by Ballast: marked ≈. */
  readonly estimate?: boolean | undefined;
  /** Shows zero as a grey 0 (default), or with its decimals as in a line of prices or balances. */
  readonly zero?: 'grey' | 'full' | undefined;
  readonly strong?: boolean | undefined;
  /** Set large: decimals beyond four are smaller, so that all digits fit. */
  readonly large?: boolean | undefined;
}

let marks: StyledPiece = { text: groupMark(), className: 'g' };
/** Returns the same object for the same mark, so that texts can be compared by identity. */
function markPiece(): StyledPiece {
  const text = groupMark();
  if (marks.text !== text) marks = { text, className: 'g' };
  return marks;
}

/** A decimal text as received (or printed by amount.ts); '' and null show as —. */
export function amountText(value: string | null, options: AmountOptions, hidden: boolean): ShownText {
  if (value === null || value === '') return NO_VALUE;
  if (hidden) return HIDDEN_AMOUNT;
  const sign = signOf(value);
  const grey = sign === 0 && (options.zero ?? 'grey') === 'grey';
  return {
    pieces: amountPieces(grey ? numberText('0') : numberText(value, options), options),
    className: `amount${amountTone(sign, options)}${options.strong ? ' strong' : ''}`,
    title: `${options.estimate ? '≈ ' : ''}${value}${options.unit === undefined ? '' : ` ${options.unit}`}`,
  };
}

function amountPieces(
  { sign, groups, fraction, rest }: ReturnType<typeof numberText>,
  { estimate, large }: AmountOptions,
): Piece[] {
  const pieces: Piece[] = estimate ? [ABOUT] : [];
  const last = groups.length - 1;
  const fine = large === true && fraction.length > 5;
  for (const [at, group] of groups.entries()) {
    if (at > 0) pieces.push(markPiece());
    pieces.push(`${at === 0 ? sign : ''}${group}${at === last && !fine ? fraction : ''}`);
  }
  if (fine) pieces.push({ text: fraction, className: 'fine' });
  if (rest !== '') pieces.push({ text: rest, className: CUT });
  return pieces;
}

function amountTone(sign: number, { signed, plain }: AmountOptions): string {
  if (sign === 0) return ' zero';
  if (signed !== true || plain) return '';
  return sign < 0 ? ' down' : ' up';
}

export const textOf = (piece: Piece): string => (typeof piece === 'string' ? piece : piece.text);
export const plainText = ({ pieces }: ShownText): string => pieces.map(textOf).join('');
const TONES = ['up', 'down', 'warn', 'danger'];
/** Returns a text's colour class, to colour a part of another text alike. */
export const toneOf = ({ className }: ShownText): string =>
  className.split(' ').find((one) => TONES.includes(one)) ?? '';

/** Puts two figures in one cell: the second below the first, smaller, in its own colour. */
export function stackedText(first: ShownText, second: ShownText): ShownText {
  const under = plainText(second);
  const titles = [first.title, second.title === undefined ? undefined : under].filter(
    (one) => one !== undefined,
  );
  return {
    pieces: [...first.pieces, { text: under, className: `under ${toneOf(second)}`, line: true }],
    className: `${first.className} stacked`,
    ...(titles.length === 0 ? {} : { title: titles.join(' · ') }),
  };
}

/** Appends the coin to a figure. */
export const withUnit = (text: ShownText, unit: string | undefined): ShownText =>
  unit === undefined || text === NO_VALUE || text === HIDDEN_AMOUNT
    ? text
    : {
        ...text,
        pieces: [...text.pieces, { text: `\u2009${unit}`, className: UNIT }],
        title: text.title === undefined ? undefined : `${text.title} ${unit}`,
      };

const UNIT_UNKNOWN = 'As received: it is unknown whether 1 or 100 is 100%. Set it in Settings › Connections.';

/** Shows a rate of the exchange in percent; as received until its unit is known. */
export function rateText(rate: string | null, unit: RatioUnit | null, options: ShareOptions = {}): ShownText {
  const share = shareOf(rate, unit);
  if (share !== null || rate === null || rate === '') return shareText(share, options);
  return { pieces: [rate], className: 'percent', title: UNIT_UNKNOWN };
}

export interface ShareOptions {
  readonly signed?: boolean | undefined;
  /** Coloured by its sign, like PnL. */
  readonly coloured?: boolean | undefined;
  readonly estimate?: boolean | undefined;
  /** A distance to liquidation, as `plainDistance` writes it. */
  readonly distance?: boolean | undefined;
}

/** Shows a share (`0.1011`) as 10.11%; '' and null as —. */
export function shareText(value: string | null, options: ShareOptions): ShownText {
  if (value === null || value === '') return NO_VALUE;
  const percent = percentOf(value);
  const sign = options.coloured ? signOf(percent) : 0;
  const text = options.distance ? plainDistance(value, options.signed) : `${plainNumber(percent, options)}%`;
  return {
    pieces: options.estimate ? [ABOUT, text] : [text],
    className: sign === 0 ? 'percent' : sign < 0 ? 'percent down' : 'percent up',
    title: value,
  };
}

/** Returns the age of figures that are old, which what is computed from them names; null while they are not. */
export const ageIfOld = ({
  old,
  age,
}: {
  readonly old: boolean;
  readonly age: number | null;
}): string | null => (old && age !== null ? ageText(age) : null);

/** `at mark`, or `at mark, 40 s old`. */
export const atMark = (age: string | null): string => `at mark${age === null ? '' : `, ${age} old`}`;

export const moveText = (move: PriceMove, age: string | null = null): string =>
  `if prices ${move === 'falling' ? 'fall' : 'rise'}, valued ${atMark(age)}`;

/** Shows BUY and SELL as Buy and Sell, for a position as Long and Short; any other text as it is, without colour. */
export function sideText(side: string, of: 'order' | 'position' = 'order'): ShownText & { pieces: [string] } {
  const [long, short] = of === 'position' ? ['Long', 'Short'] : ['Buy', 'Sell'];
  if (side === 'BUY') return { pieces: [long], className: 'side up' };
  if (side === 'SELL') return { pieces: [short], className: 'side down' };
  return { pieces: [side], className: 'side' };
}
