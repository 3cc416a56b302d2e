/** The progress of an export as text. */
import type {
  ExportProgress,
  ExportTable,
  ImportProgress,
  Preset,
  ControlTotals,
} from '../../../src-shared/ipc/exports.ts';
import type { Freshness } from '../../../src-shared/ipc/feeds.ts';
import { TAX_TOOLS } from '../../../src-shared/domain/history/tax-tools.ts';
import { counted, countText } from '../../text/number-text.ts';
import { ageText } from '../../text/time-text.ts';

/** Returns the name at the end of a path, on any system. */
const fileName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;

export function exportTitle({ state, path }: Pick<ExportProgress, 'state' | 'path'>): string {
  const name = fileName(path);
  switch (state) {
    case 'running':
      return `Writing ${name}`;
    case 'done':
      return `Saved ${name}`;
    case 'cancelled':
      return `Cancelled ${name}`;
    case 'failed':
      return `${name} could not be written`;
  }
}

export const TABLE_TITLES: Readonly<Record<ExportTable, string>> = {
  trades: 'Trades',
  orders: 'Order history, all fields',
  positions: 'Positions, all fields',
  balances: 'Balances, all fields',
};
export const presetTitle = (preset: Preset): string =>
  preset === 'full' ? 'Full' : preset === 'custom' ? 'Custom' : TAX_TOOLS[preset];
/** What applies to every tax file. */
export const TAX_HINT =
  'One row for the profit or loss of each closing order, one for the fee of each trade. Funding is not included: the exchange API does not list it. Import the file as it is: a spreadsheet that saves it cuts amounts to 15 digits and may change dates.';
/** How to import the file into the chosen tool and how the tool treats it, from its own help or source. */
export const PRESET_HINTS: Readonly<Record<Preset, string>> = {
  full: 'Every field exactly as the exchange sent it. Can be imported again.',
  koinly:
    'Koinly reads the file as its Simple template. It counts profits, losses, fees and rebates as other gains, apart from capital gains.',
  cointracking:
    'CoinTracking reads times in the time zone of your account there: set that time zone to UTC before the CSV import, or each row is hours off. It counts profits and losses as derivatives, fees as Other Fee and rebates as Other Income.',
  cointracker:
    'CoinTracker counts the rows as margin gains, losses, fees and rebates. Its CSV has no column for a contract or an ID: import each file only once, and compare its number of transactions with the rows of the file, since identical rows, such as equal fees in one second, may be taken for duplicates. A row with more than eight decimals may be rejected.',
  rotki:
    'In rotki, choose Import Data › Custom Import › Import events. It books profits as received, losses as spent and fees as fees of a spend of 0. Import a file only once: a second import doubles its rows.',
  bittytax:
    'Give the file to the command bittytax, not bittytax_conv. BittyTax 0.6 totals the rows by wallet and contract under Margin Trading, outside its summary and tax estimate. Order and trade IDs are not in the file.',
  blockpit:
    'Import the file into a manual integration. Blockpit counts the rows as derivative profits, losses and fees; a rebate is a derivative profit. If it rejects the CSV, copy the rows into its XLSX template.',
  cryptotaxcalculator:
    'In CryptoTaxCalculator (Summ), import the file as Advanced Custom CSV, each connection as a source of its own. It lists the rows in its derivatives report; a rebate is a realised profit.',
  custom: 'The columns you choose, in the order you choose.',
};

export function exportButton(table: ExportTable, expected: number | null): string {
  if (table !== 'trades') return `Export ${table === 'orders' ? 'order history' : table}…`;
  return `Export ${counted(expected ?? 0, 'trade')}…`;
}

/** States when positions or balances were read, so that old ones are not mistaken for current ones. */
export function recordText(
  table: ExportTable,
  readAt: number | null,
  now: number,
  freshness: Freshness,
): string {
  if (readAt === null) return `The ${table} have not been read from the exchange yet.`;
  const age = `were read ${ageText(now - readAt)} ago`;
  const old = freshness === 'fresh' ? '' : ' They may have changed: the newest read failed or is late.';
  return `The ${table} ${age}; the time is in the file name.${old}`;
}

/** Returns the totals of a finished trade file, one sentence per line. */
export function controlTotalsLines({
  trades,
  fees,
  agrees,
  profit,
  free,
  unreadFees,
}: ControlTotals): readonly string[] {
  const sums = (list: ControlTotals['fees']): string =>
    list
      .map(({ asset, amount }) => `${amount.replace('-', '−')} ${asset || '(coin not given)'}`)
      .join(', ') || 'none';
  const lines = [
    `${counted(trades, 'trade')}, fees ${sums(fees)}: ${agrees ? 'agrees with' : 'DIFFERS from'} the archive`,
  ];
  if (profit === null)
    lines.push('Closed PnL: not available, because this filter splits the fills of an order');
  else {
    lines.push(`Closed PnL of ${counted(profit.orders, 'closing order')}: ${sums(profit.sums)}`);
    if (profit.uncovered > 0)
      lines.push(
        `${counted(profit.uncovered, 'trade is', 'trades are')} of orders that are not stored: their closed PnL is missing`,
      );
    if (profit.open > 0)
      lines.push(`${counted(profit.open, 'order is', 'orders are')} still open: not included`);
    if (profit.unread > 0)
      lines.push(
        `Closed PnL of ${counted(profit.unread, 'order')}, or its coin or fee, is missing or cannot be read: not included`,
      );
  }
  if (unreadFees > 0)
    lines.push(
      `Fee of ${counted(unreadFees, 'trade')}, or its coin, is missing or cannot be read: not included`,
    );
  if (free > 0) lines.push(`${counted(free, 'trade')} without a fee`);
  lines.push('Funding: not included');
  return lines;
}

export function importText(progress: ImportProgress): string {
  const { state, rows, added, known, quarantined } = progress;
  const name = fileName(progress.path);
  switch (state) {
    case 'checking':
      return `Checking ${name}: ${counted(rows, 'row')}`;
    case 'storing':
      return `Storing ${name}: ${counted(rows, 'row')}`;
    case 'cancelled':
      return 'Cancelled: nothing was stored';
    case 'failed':
      return `${name} was not imported`;
    case 'done':
      return (
        `${name}: ${counted(added, 'new trade')}, ${countText(known)} already stored` +
        (quarantined > 0 ? `, ${countText(quarantined)} quarantined: stored with different content` : '')
      );
  }
}
