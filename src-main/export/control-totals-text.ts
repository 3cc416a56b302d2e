/** The control totals of a written file as lines of a terminal. */
import type { ArchiveExport } from '../archive/export/source.ts';
import { unnamedCoins, unnamedText } from '../../src-shared/domain/history/rotki-assets.ts';
import type { ControlTotals } from '../../src-shared/ipc/exports.ts';

/** Names what is in no sum only where there is some; a null profit is a filter that splits the fills of an order. */
export function controlTotalsLines({
  trades,
  fees,
  agrees,
  profit,
  free,
  unreadFees,
}: ControlTotals): readonly string[] {
  const sums = (list: ControlTotals['fees']): string =>
    list.map(({ asset, amount }) => `${amount} ${asset || '(coin not given)'}`).join(', ') || 'none';
  const some = (count: number, name: string): readonly string[] => (count > 0 ? [`${name}: ${count}`] : []);
  return [
    `trades: ${trades}`,
    ...some(free, 'trades without a fee'),
    `fees: ${sums(fees)}`,
    ...some(unreadFees, 'trades whose fee, or its coin, is missing or cannot be read, left out'),
    `against the archive: ${agrees ? 'agrees' : 'DIFFERS'}`,
    ...(profit === null
      ? ['closed PnL: not available, because this filter splits the fills of an order']
      : [
          `closed PnL: ${sums(profit.sums)} of ${profit.orders} closing orders`,
          ...some(profit.uncovered, 'trades whose order is not stored, their closed PnL missing'),
          ...some(profit.open, 'open orders, left out'),
          ...some(
            profit.unread,
            'orders whose closed PnL, or its coin or fee, is missing or cannot be read, left out',
          ),
        ]),
    'funding: not in these histories',
  ];
}

/** Returns the coins of a written file that rotki does not know; none in another layout than its own. */
export function unnamedIn(
  totals: ControlTotals | null,
  { preset, tax }: Pick<ArchiveExport, 'preset' | 'tax'>,
): readonly string[] {
  if (preset !== 'rotki' || totals === null) return [];
  const coins = new Set([...totals.fees, ...(totals.profit?.sums ?? [])].map(({ asset }) => asset));
  coins.delete(''); // has no row
  return unnamedCoins([...coins], tax.rotkiAssets);
}

/** Returns what rotki leaves out of a file in its layout. */
export function unnamedLine(unnamed: readonly string[]): string {
  return `! ${unnamedText(unnamed)} Give ${unnamed.length === 1 ? 'it' : 'each'} by --rotki-asset.`;
}
