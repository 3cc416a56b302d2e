/** Describes whether the exchange's closed PnL is before or after fees, with the evidence. */
import type { ProfitFinding } from '../../src-shared/ipc/profit.ts';
import type { ProfitConvention } from '../../src-shared/domain/history/profit-fit.ts';
import { counted, countText } from './number-text.ts';

const CONVENTION_TEXTS: Readonly<Record<ProfitConvention, string>> = {
  'before-fees': 'before fees',
  'after-fees': 'after the fee of the closing order',
};

/** Counts the newest closed positions by what they show. */
export function evidenceText({ before, after, afterAll, undecidable }: ProfitFinding): string {
  const parts = [
    ...(before > 0 ? [`${countText(before)} before fees`] : []),
    ...(after > 0 ? [`${countText(after)} after the closing fee`] : []),
    ...(afterAll > 0 ? [`${countText(afterAll)} after all fees`] : []),
    ...(undecidable > 0 ? [`${countText(undecidable)} that do not show it`] : []),
  ];
  const count = before + after + afterAll + undecidable;
  return count === 0
    ? 'no closed position to compare yet'
    : `${counted(count, 'closed position')}: ${parts.join(', ')}`;
}

/** Explains how closed PnL is read, why, and with what effect. `setting`: the connection's; undefined while unknown. */
export function profitFindingText(finding: ProfitFinding, setting: ProfitConvention | undefined): string {
  const evidence = evidenceText(finding);
  if (finding.found === 'after-all-fees')
    return `The exchange’s closed PnL is after all fees of a position (${evidence}). Ballast adds the closing fee back; opening fees are counted twice.`;
  const added =
    finding.convention === 'after-fees' ? ' Ballast adds the fee back, so none is counted twice.' : '';
  if (finding.found !== null)
    return `The exchange’s closed PnL is ${CONVENTION_TEXTS[finding.found]} (${evidence}).${added}`;
  const source = setting === undefined ? '' : ', as set for this connection';
  return `Not detected whether the exchange’s closed PnL is before fees. It is read as ${CONVENTION_TEXTS[finding.convention]}${source} (${evidence}).${added}`;
}
