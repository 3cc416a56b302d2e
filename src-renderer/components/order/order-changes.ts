/** What an order changes, as rows of before and after: one table for the ticket and the sheets. */
import { amount, calculated, decimalsOf, divide, isPositive, print } from '../../../src-shared/amount.ts';
import { labelOf, POSITION_SIDE } from '../../../src-shared/exchange-api/enums.ts';
import {
  type Change,
  type Figure,
  NO_LIQUIDATION as NONE,
} from '../../../src-shared/domain/account/figure.ts';
import { turnsOver } from '../../../src-shared/domain/order/fill-effect.ts';
import { higherTier, type OrderPreview } from '../../../src-shared/domain/order/preview.ts';
import type { ValuedLeg } from '../../../src-shared/domain/account/leg.ts';
import { ratioGrade } from '../../../src-shared/domain/order/risk.ts';
import { moneyDigits, percentText, roundedMoney, roundedPrice } from '../../text/estimate-text.ts';
import { distanceTone, GRADE_TONES, ratioLabel } from '../../text/health-text.ts';
import { plainDistance, plainNumber, timesText } from '../../text/number-text.ts';

export interface ChangeRow {
  readonly label: string;
  /** null if there was no value. */
  readonly before: string | null;
  /** It is calculated by Ballast too, and marked ≈. */
  readonly estimatedBefore?: true;
  /** Calculated by Ballast and marked ≈, unless `exact`. */
  readonly after: string;
  readonly unit?: string | undefined;
  readonly exact?: true;
  /** Class of the figure after. */
  readonly tone?: string | undefined;
  /** Why the figure is unknown. */
  readonly title?: string | undefined;
}
export interface BeforeAfter {
  readonly changes: readonly ChangeRow[];
  readonly same: readonly string[];
}

const TIER = 'Risk tier';

/**
 * @param wide includes the figures that the narrow ticket has no space for
 * @param byEquity the size is typed as times the equity, which adds to what is held
 */
export function beforeAfter(preview: OrderPreview, wide: boolean, byEquity = false): BeforeAfter {
  const { contract } = preview;
  const rows = [
    sizeRow(preview),
    wide || (byEquity && preview.before !== null) ? equityRow(preview) : null,
    ...(wide ? valueRows(preview) : []),
    ...riskRows(preview),
  ].filter((row) => row !== null);
  const stays = ({ before, after, title }: ChangeRow): boolean => before === after && title === undefined;
  const mode = `${timesText(contract.leverage)} ${contract.mode}`;
  return {
    changes: rows.filter((row) => !stays(row)),
    same: [...rows.filter(stays).map(sameText), mode],
  };
}

/** Returns how near the order brings liquidation, and the risk tier. */
export function riskRows(preview: OrderPreview): ChangeRow[] {
  const { distance, after, effect } = preview;
  const grade = distanceTone(distance.after.value, after?.leg.side ?? '');
  // An order that only closes is not cautioned against, but a danger that it leaves is shown.
  const near = effect.opened === '0' && grade !== 'danger' ? '' : grade;
  return [
    liquidationRow(preview, near),
    distanceRow(preview, near),
    ...ratioRows(preview),
    tierRow(preview),
  ].filter((row) => row !== null);
}

/** Returns the gist of `riskRows` for one line: the liquidation price, its distance if there is one, the margin ratio. */
export function riskGist(preview: OrderPreview): ChangeRow[] {
  const coinRatio = ratioLabel(preview.contract.coins.margin, false);
  return riskRows(preview).filter(
    ({ label }) => label !== TIER && (preview.isolatedRatio === null || label !== coinRatio),
  );
}

/** The label goes on in lower case, unless it starts with a coin. */
const sameText = ({ label, after }: ChangeRow): string =>
  after === NONE
    ? 'no liquidation'
    : `${label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())} ${after}`;

/** The side is named where it changes, or with `named`, for a sheet that stands alone. */
export function sizeRow({ before, after, contract, effect }: OrderPreview, named = false): ChangeRow {
  const turns = turnsOver(effect);
  // With the decimals of the size now: 1.580 beside 3.160, not 1.58.
  const decimals = decimalsOf(before?.leg.quantity ?? '0');
  const text = (one: ValuedLeg | null): string =>
    one === null
      ? named
        ? 'none'
        : '0'
      : `${named || turns ? `${labelOf(POSITION_SIDE, one.leg.side)} ` : ''}${plainNumber(one.leg.quantity, { decimals })}`;
  return {
    label: named ? 'Position' : 'Size',
    before: text(before),
    after: text(after),
    unit: named && after === null ? undefined : contract.coins.quantity,
    exact: true,
    tone: turns ? 'warn' : undefined,
  };
}

const ESTIMATED_BEFORE = { estimatedBefore: true } as const;

/** The position's value as a multiple of its coin's equity; null without an equity above 0. */
function equityRow({ before, after, contract }: OrderPreview): ChangeRow | null {
  const equity = contract.asset?.equities;
  if (equity === undefined || equity === null || !isPositive(amount(equity))) return null;
  const times = (one: ValuedLeg | null): string =>
    one === null ? '0×' : timesText(roundedMoney(print(divide(calculated(one.value), amount(equity))), 2));
  return {
    label: `Times ${contract.coins.margin} equity`,
    before: times(before),
    after: times(after),
    ...(before === null ? {} : ESTIMATED_BEFORE),
  };
}

function valueRows({ before, after, contract, markPrice }: OrderPreview): ChangeRow[] {
  const digits = moneyDigits(contract.side);
  const coin = contract.coins.margin;
  const money = (text: string | null | undefined): string | null =>
    text === null || text === undefined ? null : plainNumber(roundedMoney(text, digits));
  const price = (text: string | undefined): string | null =>
    text === undefined ? null : plainNumber(roundedPrice(text, decimalsOf(markPrice)));
  const row = (label: string, was: string | null, is: string | null, isRead = false): ChangeRow[] =>
    was === null && is === null
      ? []
      : [
          {
            label,
            before: was,
            after: is ?? '—',
            ...(isRead || was === null ? {} : ESTIMATED_BEFORE),
            ...(is === null ? { exact: true as const } : {}),
          },
        ];
  return [
    ...row('Average entry', price(before?.leg.entryPrice), price(after?.leg.entryPrice), true),
    ...row(`Value, ${coin}`, money(before?.value), money(after?.value)),
    ...row(`Maintenance, ${coin}`, money(before?.maintenance), money(after?.maintenance)),
  ];
}

/** An unknown value is shown as such, with its reason; a value that ends with the position is shown as —. */
function figureRow(
  label: string,
  { before, after }: Change,
  text: (value: string) => string,
  hasAfter: boolean,
): ChangeRow {
  const was = before.value === null ? null : text(before.value);
  if (after.value !== null) return { label, before: was, after: text(after.value) };
  return hasAfter
    ? { label, before: was, after: 'not known', exact: true, title: after.reason }
    : { label, before: was, after: '—', exact: true };
}

/** A price of the exchange, which is never rounded. */
const liquidationText = ({ value, reason }: Figure): string =>
  value === null ? (reason === NONE ? NONE : 'not known') : plainNumber(value);

function liquidationRow(preview: OrderPreview, tone: string): ChangeRow {
  const { liquidation, noLiquidation, before, after, markPrice } = preview;
  const price = (text: string): string => plainNumber(roundedPrice(text, decimalsOf(markPrice)));
  const row = figureRow('Liquidation', liquidation, price, after !== null);
  const was = before === null ? null : liquidationText(liquidation.before);
  return noLiquidation
    ? { ...row, before: was, after: NONE, title: undefined }
    : { ...row, before: was, tone };
}

/** Returns null if no price liquidates, before or after. */
function distanceRow(preview: OrderPreview, tone: string): ChangeRow | null {
  const { distance, liquidation, noLiquidation, after } = preview;
  if (liquidation.after.value === null && (noLiquidation || after !== null)) return null;
  const row = figureRow('Distance', distance, (share) => plainDistance(share), after !== null);
  return row.before === null && row.after === '—' ? null : { ...row, tone };
}

/** The ratio of an isolated position, and the coin's, which an isolated order changes by its margin. */
function ratioRows({ isolatedRatio, marginRatio, contract, after }: OrderPreview): ChangeRow[] {
  const row = (label: string, change: Change, hasAfter: boolean): ChangeRow => ({
    ...figureRow(label, change, (text) => percentText(text), hasAfter),
    tone: GRADE_TONES[ratioGrade(change.after)],
  });
  const { margin } = contract.coins;
  const own = isolatedRatio === null ? [] : [row(ratioLabel(margin, true), isolatedRatio, after !== null)];
  return [...own, row(ratioLabel(margin, false), marginRatio, true)];
}

function tierRow(preview: OrderPreview): ChangeRow | null {
  const { before, after, contract } = preview;
  if (contract.config.riskLimitConfigs.length === 0) return null;
  const text = (one: ValuedLeg | null): string | null =>
    one?.tier ? `${one.tier.level} · ${percentText(one.tier.maintainMarginRate)}` : null;
  const higher = higherTier(preview) !== null;
  return {
    label: TIER,
    before: text(before),
    after: `${higher ? '▲ ' : ''}${text(after) ?? '—'}`,
    exact: true,
    tone: higher ? 'warn' : undefined,
  };
}
