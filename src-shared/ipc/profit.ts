/** Defines what is known of the profit the exchange reports: the finding, its evidence, and what is used. */
import * as v from 'valibot';
import type { ProfitConvention, ProfitFit } from '../domain/history/profit-fit.ts';
import { connectionId } from './call.ts';
import { groupContractsSchema } from './trade-groups.ts';

export const profitQuerySchema = v.strictObject({ connectionId, contracts: groupContractsSchema });

export interface ProfitFinding extends ProfitFit {
  /** What sums and files read profits as: as found, else the connection's setting, else before fees. */
  readonly convention: ProfitConvention;
}
