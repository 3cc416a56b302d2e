/** What a person sets about the estimates of risk. */
import * as v from 'valibot';
import { isUnsignedDecimal } from '../amount.ts';

/** Percent per percent of a common price move, from 0 (stands still) to 99.99. */
const beta = v.pipe(v.string(), v.regex(/^\d{1,2}(?:\.\d{1,4})?$/, 'a number from 0 to 99.99, such as 1.5'));

export const riskSettingsSchema = v.strictObject({
  /** Share of the exchange's own figure, percent, beyond which an estimate that differs is flagged. */
  divergencePercent: v.pipe(
    v.string(),
    v.maxLength(12),
    v.check(isUnsignedDecimal, 'a plain number, such as 0.1'),
  ),
  /** By `betaKey`; a coin that is not here has the stated one. */
  betas: v.record(v.pipe(v.string(), v.maxLength(120)), beta),
});
export type RiskSettings = v.InferOutput<typeof riskSettingsSchema>;

export const DEFAULT_RISK: RiskSettings = { divergencePercent: '0.1', betas: {} };

/** Key of `betas`: a coin on one connection. */
export const betaKey = (connectionId: string, coin: string): string => `${connectionId} ${coin}`;
