/** Explains a liquidation price, in words and as text to copy: figures in full, each with its source. */
import type {
  LiquidationBreakdown,
  LiquidationMove,
  LiquidationTerms,
} from '../../../src-shared/domain/risk/liquidation-terms.ts';
import { sideWord } from '../../../src-shared/exchange-api/enums.ts';
import { NO_LIQUIDATION } from '../../../src-shared/domain/account/figure.ts';
import { plainPercent } from '../../text/number-text.ts';

/** Describes the search: where it starts, in which direction it goes and what it keeps fixed. */
export function ruleText({ own, liquidation }: LiquidationBreakdown): string {
  const { cross, side, position } = own;
  if (liquidation.estimate.reason === NO_LIQUIDATION)
    return `No price of ${position.symbolId} liquidates it: its equity is more than it can lose.`;
  const direction = side === 'BUY' ? 'down' : 'up';
  return cross
    ? `Liquidated at the first price ${direction} from the mark where equity no longer exceeds the requirement. Only ${position.symbolId} moves; the coin’s other cross positions stay at their marks.`
    : `Liquidated at the first price ${direction} from the entry where equity no longer exceeds the requirement. Only its own margin counts.`;
}

/** Where the estimate's closing fee comes from, if not from the known rate. */
export const FEE_NOTES: Readonly<Record<LiquidationBreakdown['feeCounted'], string | null>> = {
  yes: null,
  'rate unknown': 'The taker fee rate is not known: no closing fee is counted.',
  'left out': 'The exchange’s own prices carry no closing fee, so none is counted.',
};

export const MOVE_TEXT: Readonly<Record<LiquidationMove['what'], (cross: boolean) => string>> = {
  'add-margin': (cross) => (cross ? '10% more in the wallet' : '10% more margin'),
  'close-half': () => 'Half closed at the mark',
};

const termLines = (name: string, coin: string, collateral: string, at: LiquidationTerms): string[] => [
  `At ${name} ${at.price}:`,
  `  equity ${coin} = ${at.otherPnl === null ? 'margin' : 'cross wallet'} ${collateral} + PnL ${at.pnl}${at.otherPnl === null ? '' : ` + PnL of other cross positions ${at.otherPnl}`} = ${at.equity}`,
  `  required ${coin} = maintenance margin ${at.maintenance} (tier ${at.tier.level}, ${plainPercent(at.tier.maintainMarginRate)} of ${at.value}) + closing fee ${at.fee}${at.otherRequired === null ? '' : ` + other cross positions ${at.otherRequired}`} = ${at.required}`,
  `  buffer ${at.buffer}`,
];

export function liquidationFormula(found: LiquidationBreakdown): string {
  const { own, collateral, liquidation, bankruptcy, atMark, atExchange, atEstimate } = found;
  const lines = (name: string, at: LiquidationBreakdown['atMark']): string[] =>
    at?.ok === true ? termLines(name, own.coin, collateral, at.value) : [];
  return [
    `${own.position.symbolId} ${sideWord(own.side)}, ${own.cross ? 'cross' : 'isolated'}: liquidated where equity ≤ maintenance margin + closing fee`,
    `Liquidation price: exchange ${liquidation.exchange ?? 'none'}; Ballast ≈ ${liquidation.estimate.value ?? liquidation.estimate.reason} (${liquidation.basis})`,
    ...(bankruptcy === null ? [] : [`Bankruptcy price: Ballast ≈ ${bankruptcy.value ?? bankruptcy.reason}`]),
    ...lines('the mark', atMark),
    ...lines('the exchange’s price', atExchange),
    ...lines('Ballast’s price', atEstimate),
    ...found.moves.map(
      ({ what, amount, price }) =>
        `${MOVE_TEXT[what](own.cross)} (${amount}): ≈ ${price.value ?? price.reason}`,
    ),
  ].join('\n');
}
