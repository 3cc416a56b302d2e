/**
 * Builds tax tool rows: one for each closing order's PnL and each trade's fee. Fills are omitted, since they buy no
 * coin; funding is in neither history. Headers and terms are the tools' own (2026-11; docs/archive.md, "Tax tools").
 * Amounts keep their received digits.
 */
import { rotkiAsset } from './rotki-assets.ts';
import type { TaxTool } from './tax-tools.ts';

export interface TaxEvent {
  readonly kind: 'profit' | 'fee';
  /** ms. */
  readonly time: number;
  /** Plain decimal, not zero. Positive for a profit or rebate, negative for a loss or fee. */
  readonly amount: string;
  readonly coin: string;
  readonly symbol: string;
  readonly side: string;
  /** The order of a PnL, the trade of a fee. */
  readonly id: string;
  /** The second side of a trade of the account with itself, which has the id of the first. */
  readonly isSecond?: boolean;
}

/** What the user decides where a tool can be read in two ways. */
export interface TaxOptions {
  /** Header of Koinly's tag column: its help says Tag, its older templates Label. */
  readonly koinlyHeader: 'Tag' | 'Label';
  /** Identifiers of coins for rotki, beside and before the built-in ones. */
  readonly rotkiAssets: Readonly<Record<string, string>>;
}

interface TaxLayout {
  readonly header: (options: TaxOptions) => readonly string[];
  /** Returns the cells; `account` is the connection's name. Text cells are not guarded yet. */
  readonly cells: (event: TaxEvent, account: string, options: TaxOptions) => readonly string[];
  /** The last row has no line break: the tool would read an empty row after it. */
  readonly open?: boolean;
}

const isOut = (amount: string): boolean => amount.startsWith('-');
const bare = (amount: string): string => (isOut(amount) ? amount.slice(1) : amount);
/** Flips the sign of an amount: a fee is received as positive when it was paid. */
export const turned = (amount: string): string => (isOut(amount) ? amount.slice(1) : `-${amount}`);
const ZERO = /^-?0(?:\.0*)?$/;
export const isNothing = (amount: string): boolean => ZERO.test(amount);

const pad = (value: number, digits = 2): string => String(value).padStart(digits, '0');
/** Formats as `2026-11-21 09:14:03` in UTC. */
function dayAndTime(time: number): string {
  const date = new Date(time);
  const day = `${pad(date.getUTCFullYear(), 4)}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}`;
  return `${day} ${clock(date)}`;
}
const clock = (date: Date): string =>
  `${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}:${pad(date.getUTCSeconds())}`;
/** Formats as `21.11.2026 09:14:03` in UTC. */
function dayFirst(time: number): string {
  const date = new Date(time);
  const day = `${pad(date.getUTCDate())}.${pad(date.getUTCMonth() + 1)}.${pad(date.getUTCFullYear(), 4)}`;
  return `${day} ${clock(date)}`;
}
/** Formats as `11/21/2026 09:14:03` in UTC. */
function monthFirst(time: number): string {
  const date = new Date(time);
  const day = `${pad(date.getUTCMonth() + 1)}/${pad(date.getUTCDate())}/${pad(date.getUTCFullYear(), 4)}`;
  return `${day} ${clock(date)}`;
}

const describe = ({ kind, symbol, side, id, amount }: TaxEvent): string =>
  kind === 'profit'
    ? `${symbol} ${side} order ${id}: realised ${isOut(amount) ? 'loss' : 'profit'}`
    : `${symbol} ${side} trade ${id}: trading fee${isOut(amount) ? '' : ' rebate'}`;

/** Returns a unique id for tools that drop duplicates: trade ids are unique within a symbol only. */
const reference = ({ kind, symbol, side, id, isSecond }: TaxEvent): string =>
  kind === 'profit' ? `order-${id}` : `${symbol}-trade-${id}${isSecond === true ? `-${side}` : ''}`;

/** Picks one of four terms: profit, loss, fee, rebate. */
const word = (
  event: TaxEvent,
  [gain, loss, fee, rebate]: readonly [string, string, string, string],
): string =>
  event.kind === 'profit' ? (isOut(event.amount) ? loss : gain) : isOut(event.amount) ? fee : rebate;

/** Puts amount and coin in the columns for incoming or outgoing. */
function inAndOut({ amount, coin }: TaxEvent): readonly [string, string, string, string] {
  return isOut(amount) ? ['', '', bare(amount), coin] : [amount, coin, '', ''];
}

/** Adds the decimals a whole amount lacks. */
const withDecimals = (amount: string): string => (amount.includes('.') ? amount : `${amount}.0`);

export const TAX_LAYOUTS: Readonly<Record<TaxTool, TaxLayout>> = {
  koinly: {
    header: ({ koinlyHeader }) => [
      'Koinly Date',
      'Amount',
      'Currency',
      koinlyHeader,
      'Description',
      'TxHash',
    ],
    cells: (event) => [
      `${dayAndTime(event.time)} UTC`,
      withDecimals(event.amount),
      event.coin,
      word(event, ['realized gain', 'realized gain', 'futures fee', 'futures fee']),
      describe(event),
      reference(event),
    ],
  },
  cointracking: {
    open: true,
    header: () => [
      'Type',
      'Buy Amount',
      'Buy Currency',
      'Sell Amount',
      'Sell Currency',
      'Fee',
      'Fee Currency',
      'Exchange',
      'Trade-Group',
      'Comment',
      'Date',
      'Tx-ID',
    ],
    cells: (event, account) => [
      word(event, [
        'Derivatives / Futures Profit',
        'Derivatives / Futures Loss',
        'Other Fee',
        'Other Income',
      ]),
      ...inAndOut(event),
      '',
      '',
      account,
      event.symbol,
      describe(event),
      dayAndTime(event.time),
      reference(event),
    ],
  },
  cointracker: {
    header: () => [
      'Date',
      'Received Quantity',
      'Received Currency',
      'Sent Quantity',
      'Sent Currency',
      'Fee Amount',
      'Fee Currency',
      'Tag',
    ],
    cells: (event) => [
      monthFirst(event.time),
      ...inAndOut(event),
      '',
      '',
      word(event, ['margin gain', 'margin loss', 'margin fee', 'margin rebate']),
    ],
  },
  rotki: {
    header: () => [
      'Type',
      'Location',
      'Currency',
      'Amount',
      'Fee',
      'Fee Currency',
      'Description',
      'Timestamp',
    ],
    cells(event, _account, { rotkiAssets }) {
      const asset = rotkiAsset(event.coin, rotkiAssets) ?? event.coin;
      // A fee needs an event to belong to, and rotki counts a spend of 0 as none.
      const isFee = event.kind === 'fee' && isOut(event.amount);
      return [
        word(event, ['Income', 'Loss', 'Spend', 'Income']),
        'external',
        asset,
        isFee ? '0' : bare(event.amount),
        isFee ? bare(event.amount) : '',
        isFee ? asset : '',
        describe(event),
        String(event.time),
      ];
    },
  },
  bittytax: {
    header: () => [
      'Type',
      'Buy Quantity',
      'Buy Asset',
      'Buy Value in GBP',
      'Sell Quantity',
      'Sell Asset',
      'Sell Value in GBP',
      'Fee Quantity',
      'Fee Asset',
      'Fee Value in GBP',
      'Wallet',
      'Timestamp',
      'Note',
    ],
    cells(event, account) {
      const [gained, gainedCoin, lost, lostCoin] = inAndOut(event);
      return [
        word(event, ['Margin-Gain', 'Margin-Loss', 'Margin-Fee', 'Margin-Fee-Rebate']),
        gained,
        gainedCoin,
        '',
        lost,
        lostCoin,
        '',
        '',
        '',
        '',
        account,
        `${dayAndTime(event.time)} UTC`,
        // Its totals are by wallet and note: anything beside the contract would make each row a contract of its own.
        event.symbol,
      ];
    },
  },
  blockpit: {
    header: () => [
      'Date (UTC)',
      'Integration Name',
      'Label',
      'Outgoing Asset',
      'Outgoing Amount',
      'Incoming Asset',
      'Incoming Amount',
      'Fee Asset (optional)',
      'Fee Amount (optional)',
      'Comment (optional)',
      'Trx. ID (optional)',
    ],
    cells(event, account) {
      const [gained, gainedCoin, lost, lostCoin] = inAndOut(event);
      return [
        dayFirst(event.time),
        account,
        word(event, ['Derivative Profit', 'Derivative Loss', 'Derivative Fee', 'Derivative Profit']),
        lostCoin,
        lost,
        gainedCoin,
        gained,
        '',
        '',
        describe(event),
        reference(event),
      ];
    },
  },
  cryptotaxcalculator: {
    header: () => [
      'Timestamp (UTC)',
      'Type',
      'Base Currency',
      'Base Amount',
      'Quote Currency (Optional)',
      'Quote Amount (Optional)',
      'Fee Currency (Optional)',
      'Fee Amount (Optional)',
      'From (Optional)',
      'To (Optional)',
      'Blockchain (Optional)',
      'ID (Optional)',
      'Description (Optional)',
      'Reference Price Per Unit (Optional)',
      'Reference Price Currency (Optional)',
    ],
    cells: (event) => [
      dayAndTime(event.time),
      word(event, ['realized-profit', 'realized-loss', 'margin-fee', 'realized-profit']),
      event.coin,
      bare(event.amount),
      ...['', '', '', '', '', '', ''],
      reference(event),
      describe(event),
      '',
      '',
    ],
  },
};
