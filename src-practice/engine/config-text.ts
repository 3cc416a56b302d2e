/**
 * Writes `data` of symbolConfig as text: tier figures are JSON numbers with their exact digits, so no float is
 * used.
 */
import { printMoney, printRate } from './atoms.ts';
import type { Contract } from './contracts.ts';

function tierText(contract: Contract): string {
  const tiers = contract.steps.map(
    (tier) =>
      `{"level":${tier.level},"maintainMarginRate":${printRate(tier.rate)},"maxLeverage":${tier.leverage},` +
      `"maxPositionValue":${printMoney(tier.max)},"minPositionValue":${printMoney(tier.min)}}`,
  );
  return `[${tiers.join(',')}]`;
}

export function configText(contracts: readonly Contract[]): string {
  const records = contracts.map((contract) => {
    const mode = contract.defaultMarginMode === 'ISOLATED' ? 'ISOLATION' : 'CROSSED';
    return (
      `{"symbolId":${JSON.stringify(contract.symbolId)},"contractSide":"${contract.contractSide}",` +
      `"contractType":"${contract.contractType}","defaultLeverage":${contract.defaultLeverage},` +
      `"defaultMarginMode":"${mode}","riskLimitConfigs":${tierText(contract)}}`
    );
  });
  return `[${records.join(',')}]`;
}
