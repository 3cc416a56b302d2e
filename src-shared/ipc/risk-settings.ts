/** Defines the user's settings of the risk estimates. */
import * as v from 'valibot';
import { textUpTo } from './call.ts';
import { isUnsignedDecimal } from '../amount.ts';

/** Percent per percent of a common price move, from 0 to 99.99. */
const beta = v.pipe(v.string(), v.regex(/^\d{1,2}(?:\.\d{1,4})?$/, 'a number from 0 to 99.99, such as 1.5'));

export const riskSettingsSchema = v.strictObject({
  /** Difference from the exchange's value, in percent, above which an estimate is flagged. */
  divergencePercent: v.pipe(
    v.string(),
    v.maxLength(12),
    v.check(isUnsignedDecimal, 'a plain number, such as 0.1'),
  ),
  /** By `betaKey`; a missing coin has the default beta. */
  betas: v.record(textUpTo(120), beta),
});

/** Key of `betas`: a coin on one connection. */
export const betaKey = (connectionId: string, coin: string): string => `${connectionId} ${coin}`;
