/** What decides an account's grade, in words. */
import { absolute, calculated, print } from '../../src-shared/amount.ts';
import type { AccountHealth } from '../../src-shared/domain/account-health.ts';
import { percentWords } from './number-text.ts';

export function healthText({ cause }: AccountHealth): string {
  if (cause === null) return 'Nothing here can be liquidated';
  const share = percentWords(print(absolute(calculated(cause.share))));
  if (cause.by === 'cross ratio') return `${cause.coin} cross margin ratio ${share}`;
  const { symbolId } = cause.position;
  return cause.by === 'distance'
    ? `${symbolId} is ${share} from liquidation`
    : `${symbolId} isolated margin ratio ≈ ${share}`;
}
