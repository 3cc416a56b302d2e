/** Trading-pair configuration: element of data of GET /ftapi/v1/symbolConfig. */
import * as f from './fields.ts';
import { CONTRACT_SIDE, CONTRACT_TYPE, DEFAULT_MARGIN_MODE } from './enums.ts';

/** Tiers are contiguous. A higher tier has a higher maintenance rate and a lower maximum leverage. */
export const riskTierFields = {
  level: f.required(f.integer('Tier', 'Starts at 1')),
  minPositionValue: f.required(f.number('From')),
  maxPositionValue: f.required(f.number('To')),
  maintainMarginRate: f.required(f.number('Maintenance rate')),
  maxLeverage: f.required(f.number('Maximum leverage')),
};

export const symbolConfigFields = {
  symbolId: f.required(f.text('Contract')),
  contractSide: f.choice(CONTRACT_SIDE, 'Contract side', 'Linear: quote-margined. Inverse: coin-margined'),
  contractType: f.choice(CONTRACT_TYPE, 'Contract type'),
  defaultLeverage: f.integer('Default leverage'),
  defaultMarginMode: f.choice(DEFAULT_MARGIN_MODE, 'Default margin mode'),
  riskLimitConfigs: f.list('Risk tiers'),
};

/** Numbers are decimal text with exactly the reply's digits. */
export type RiskTier = f.RecordOf<typeof riskTierFields>;
export type SymbolConfig = Omit<f.RecordOf<typeof symbolConfigFields>, 'riskLimitConfigs'> & {
  readonly riskLimitConfigs: readonly RiskTier[];
};
