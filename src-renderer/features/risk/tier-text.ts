/** The tiers as text and as CSV. */
import { amount, decimalsOf, multiply, print } from '../../../src-shared/amount.ts';
import { csvLine } from '../../../src-shared/domain/history/csv-cell.ts';
import type { TierLine } from '../../../src-shared/domain/instrument/tier-table.ts';
import type { RiskTier } from '../../../src-shared/exchange-api/symbol-config.ts';
import { plainNumber } from '../../text/number-text.ts';

const HUNDRED = amount('100');
const percent = (tier: RiskTier): string => print(multiply(amount(tier.maintainMarginRate), HUNDRED));

/** Decimals the rates of a contract need in percent; at least 2. Received rates are never rounded. */
export const rateDecimals = (tiers: readonly RiskTier[]): number =>
  Math.max(2, ...tiers.map((tier) => decimalsOf(percent(tier))));

/** `0.50%` */
export const tierRateText = (tier: RiskTier, decimals = 2): string =>
  `${plainNumber(percent(tier), { decimals })}%`;

const CELLS = ['level', 'minPositionValue', 'maxPositionValue', 'maintainMarginRate', 'maxLeverage'] as const;

/** Returns the tiers as CSV: a column for the contract, then those of `tiersText`. */
export function tiersCsv(symbolId: string, lines: readonly TierLine[], quantityCoin: string): string {
  return tiersText(lines, quantityCoin)
    .split('\n')
    .map((line, index) => [index === 0 ? 'symbolId' : symbolId, ...line.split('\t')])
    .map((cells) => csvLine(cells))
    .join('');
}

/** Returns the tiers for a spreadsheet: the exchange's fields as received, then Ballast's own. */
export function tiersText(lines: readonly TierLine[], quantityCoin: string): string {
  const head = [...CELLS, 'maintenanceAtTop (Ballast)', `top in ${quantityCoin} (Ballast)`];
  const rows = lines.map(({ tier, maintenanceAtTop, topQuantity }) => [
    ...CELLS.map((cell) => String(tier[cell])),
    maintenanceAtTop,
    topQuantity ?? '',
  ]);
  return [head, ...rows].map((cells) => cells.join('\t')).join('\n');
}
