/** Builds the alert texts. Prices and equity are shown as received; computed values carry ≈. */
import {
  absolute,
  amount,
  calculated,
  divide,
  isNegative,
  isPositive,
  multiply,
  printFixed,
  significant,
  print,
} from '../../amount.ts';
import { marginModeLabel, sideWord } from '../../exchange-api/enums.ts';
import type { Asset, Position } from '../../exchange-api/account.ts';
import type { EquityMove } from './equity-change.ts';
import type { Fill } from './new-fills.ts';
import { ratioText, distanceToLiquidation } from './conditions.ts';
import { printDistance } from '../margin/severity.ts';
import { isolatedCover } from '../margin/isolated-cover.ts';
import type { SystemClose } from '../history/system-close.ts';
import type { Alert, AlertRules, LevelRule, UnknownOutcome } from './rules.ts';
import { utcSecond } from '../../time.ts';

type AlertText = Omit<Alert, 'rule' | 'key'>;

/** Builds the text of a position whose distance to liquidation is known. */
export function liquidationText(position: Position, rule: LevelRule): AlertText {
  const { symbolId, side, liquidPrice, markPrice } = position;
  const liquidation = distanceToLiquidation(position);
  const what = `${symbolId} ${sideWord(side)}`;
  const passed = liquidation === null || liquidation === 'none' || !isPositive(liquidation.distance);
  return {
    title: passed
      ? `${what}: at its liquidation price`
      : `${what}: liquidation ≈ ${printDistance(divide(liquidation.distance, liquidation.mark))}% away`,
    text: `Mark ${markPrice ?? '—'}, liquidation at ${liquidPrice ?? '—'}. Threshold ${rule.threshold}%.`,
    link: { symbolId },
  };
}

/** Builds the cross margin text. `share` is the exchange's rate (1 = 100 %), null when no equity is left. */
export function marginText(asset: Asset, share: string | null, rule: LevelRule): AlertText {
  const percent =
    share === null ? 'beyond 100%' : `${printFixed(multiply(amount(share), amount('100')), 2, 'half-even')}%`;
  return {
    title: `${asset.coin} margin ratio ${percent}`,
    text: `Maintenance margin ${asset.crossedMaintainMargin ?? '—'} ${asset.coin}; cross positions are liquidated at 100%. Threshold ${rule.threshold}%.`,
    link: {},
  };
}

/** Builds the text of an isolated position whose cover is known. */
export function isolatedMarginText(position: Position, rule: LevelRule): AlertText {
  const { symbolId, side, maintainMargin, closedFee, margin, profitUnreal } = position;
  const cover = isolatedCover(position);
  const percent =
    cover !== null && isPositive(cover.equity) ? ratioText(cover.requirement, cover.equity) : 'beyond 100%';
  return {
    title: `${symbolId} ${sideWord(side)}: margin ratio ≈ ${percent}`,
    text: `Isolated: maintenance margin ${maintainMargin ?? '—'} and closing fee ${closedFee ?? '—'} against margin ${margin ?? '—'} and unrealised PnL ${signedText(profitUnreal)}. Threshold ${rule.threshold}%.`,
    link: { symbolId },
  };
}

export function equityText(move: EquityMove, equity: string, rule: AlertRules['equity']): AlertText {
  const verb = move.fell ? 'fell' : 'rose';
  return {
    title: `Equity ${verb} ≈ ${ratioText(move.size, amount(move.from))} within ${durationText(rule.windowMinutes)}`,
    text: `From ${move.from} to ${equity}. This includes deposits and transfers, which the exchange API does not report.`,
    link: {},
  };
}

function durationText(minutes: number): string {
  if (minutes % 60 === 0) return minutes === 60 ? '1 hour' : `${minutes / 60} hours`;
  return `${minutes} min`;
}

export const unknownOutcomeText = (one: UnknownOutcome): AlertText => ({
  title: `Outcome unknown: ${one.label}`,
  text: 'The exchange did not confirm whether the order was placed. Do not send it again; Activity shows what Ballast has found since.',
  link: { symbolId: one.symbolId, intentId: one.intentId },
});

export const staleText = (ageMs: number): AlertText => ({
  title: `The account has not been read for ${Math.floor(ageMs / 1_000)} s`,
  text: 'Alerts about positions, margin and equity are paused until it is read again.',
  link: {},
});

/** Events noticed this much later name their own time. */
const LATE_MS = 60_000;

/** Names the time of an event (ms, 0 if unknown) that is noticed late, as after sleep: an alert has the time of notice. */
const lateText = (at: number, now: number): string =>
  at > 0 && now - at >= LATE_MS ? ` Last order update: ${utcSecond(at)} UTC.` : '';

/** Builds the text of a system close. `resting` is the number of open orders left on the symbol. */
export function systemCloseText(close: SystemClose, resting: number, now: number): AlertText {
  const { symbolId, side, quantity, price, profit, coin, marginMode, orderId, positionId } = close;
  const what = `${symbolId} ${sideWord(side === 'SELL' ? 'BUY' : side === 'BUY' ? 'SELL' : side)}`;
  const done = close.kind === 'liquidation' ? 'liquidated' : 'delivered';
  const orders =
    resting === 0
      ? 'No resting order remains'
      : resting === 1
        ? '1 resting order remains'
        : `${resting} resting orders remain`;
  const at = price === null ? '' : ` at ${print(significant(calculated(price), 12))}`;
  return {
    title: `${what} ${done} · ${quantity ?? '—'}${at} · ${signedText(profit)} ${coin}`,
    text: `${
      close.kind === 'liquidation'
        ? `The exchange closed the position (${marginModeLabel(marginMode).toLowerCase()} margin).`
        : 'The exchange settled the contract.'
    } PnL is before fees. ${orders} on ${symbolId}.${lateText(close.at, now)}`,
    link: { symbolId, orderId, ...(positionId === '0' ? {} : { positionId }) },
  };
}

function signedText(profit: string | null): string {
  if (profit === null) return '—';
  const value = calculated(profit);
  return `${isNegative(value) ? '−' : isPositive(value) ? '+' : ''}${print(absolute(value))}`;
}

const LISTED = 3;

export function fillText(fills: readonly Fill[], now: number): AlertText {
  const newest = new Map(fills.map((one) => [one.orderId, one]));
  const all = [...newest.values()];
  const [only, second] = all;
  const lines = all.slice(0, LISTED).map(fillLine);
  const others = all.length - lines.length;
  const late = lateText(Math.max(...all.map((one) => one.at)), now);
  return {
    title: only !== undefined && second === undefined ? fillLine(only) : `Fills of ${all.length} orders`,
    text:
      only !== undefined && second === undefined
        ? `${averageLine(only) ?? ''}${late}`.trimStart()
        : `${lines.join('; ')}${others > 0 ? `; and ${others} more` : ''}.${late}`,
    link: only === undefined ? {} : { symbolId: only.symbolId, orderId: only.orderId },
  };
}

function fillLine({ symbolId, side, filled, total }: Fill): string {
  const verb = side === 'BUY' ? 'Bought' : side === 'SELL' ? 'Sold' : side;
  const isAll = total !== null && print(amount(filled)) === print(amount(total));
  const part = isAll ? filled : `${filled} of ${total ?? '—'}`;
  return `${verb} ${part} ${symbolId}`;
}

/** Rounds the average price, which the exchange API returns with all digits of its division. */
const averageLine = ({ avgPrice }: Fill): string | null =>
  avgPrice === null ? null : `Average price ${print(significant(amount(avgPrice), 12))}.`;
