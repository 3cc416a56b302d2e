/** What the API leaves open, as data: each habit with the API's line, its values and its default. */

export interface Habit {
  readonly group: 'Pages and lists' | 'Figures' | 'Names and IDs' | 'Enum values' | 'Account' | 'HTTP';
  /** The API's own line. */
  readonly line: string;
  /** What it decides, in one sentence. */
  readonly meaning: string;
  /** Each value and its effect. */
  readonly values: Readonly<Record<string, string>>;
  readonly preset: string;
  /** Whole numbers in this range are also valid; the listed values are examples. */
  readonly range?: readonly [low: number, high: number];
  /** The label of the connection setting in Ballast that covers it, if one does. */
  readonly setting?: string;
  /** How Ballast handles it. */
  readonly handling: string;
}

const SIZES = {
  '20': 'At most 20 rows.',
  '50': 'At most 50 rows.',
  '100': 'At most 100 rows.',
  '200': 'At most 200 rows.',
  '500': 'At most 500 rows.',
  '1000': 'At most 1,000 rows.',
} as const;

const ORDERS = {
  desc: 'Newest first.',
  asc: 'Oldest first.',
  none: 'In no order: a fixed shuffle.',
} as const;

const NAMES =
  'Identifiers other than those of orders and positions are STRING; their characters are not limited.';
const PAGES = 'Page numbering base, default page size and maximum page size: not shown.';
const READ_ANY_TEXT = 'Read, matched and shown as text.';

export const HABITS = {
  'page-base': {
    group: 'Pages and lists',
    line: PAGES,
    meaning: 'Number of the first page of trades.',
    values: { '0': 'Pages start at 0.', '1': 'Pages start at 1.' },
    preset: '1',
    handling: 'Pages 0 to the last are read, whatever the first one is.',
  },
  'page-size': {
    group: 'Pages and lists',
    line: PAGES,
    meaning: 'Most trades on a page.',
    values: SIZES,
    preset: '500',
    range: [1, 1_000_000],
    handling: 'Inferred from the rows returned.',
  },
  'page-too-large': {
    group: 'Pages and lists',
    line: PAGES,
    meaning: 'What a request for a larger page gets.',
    values: {
      clamped: 'As many rows as a page holds.',
      refused: 'A failure with code 500.',
      'refused-400': 'A failure with code 500 and HTTP status 400.',
    },
    preset: 'clamped',
    setting: 'Trades per page, at most',
    handling:
      'Smaller pages are requested until one is served, and remembered. The connection test tries them.',
  },
  'page-default': {
    group: 'Pages and lists',
    line: PAGES,
    meaning: 'Trades on a page when no size is requested.',
    values: { '10': 'At most 10 rows.', '50': 'At most 50 rows.' },
    preset: '50',
    handling: 'The sync always sends a page size.',
  },
  'page-outside': {
    group: 'Pages and lists',
    line: PAGES,
    meaning: 'What a page before the first or after the last gets.',
    values: {
      'refused-before': 'Before the first: a failure. After the last: no rows.',
      empty: 'No rows.',
      refused: 'A failure with code 500.',
      nearest: 'The first page, or the last one.',
    },
    preset: 'refused-before',
    handling: 'Errors and repeated rows are expected on these two pages.',
  },
  'trade-order': {
    group: 'Pages and lists',
    line: 'Query Trade History: the ordering of results is not described.',
    meaning: 'Order of trades across pages.',
    values: ORDERS,
    preset: 'desc',
    handling: 'Rows are sorted here.',
  },
  'order-order': {
    group: 'Pages and lists',
    line: 'Default of limit and result ordering: not shown.',
    meaning: 'Order of rows in open orders and order history.',
    values: ORDERS,
    preset: 'desc',
    handling: 'Rows are sorted here.',
  },
  'row-order': {
    group: 'Pages and lists',
    line: 'Account info and trading pairs: the order of assets, positions and contracts is not described.',
    meaning: 'Order of balances, positions and contracts in a reply.',
    values: { same: 'The same in each reply.', changing: 'Another one in each reply.' },
    preset: 'same',
    handling: 'Rows are sorted here, and a change of their order is no change.',
  },
  'limit-default': {
    group: 'Pages and lists',
    line: 'Default of limit when omitted and ordering of results: not shown.',
    meaning: 'Most orders listed when no limit is requested.',
    values: { '10': 'At most 10 rows.', '100': 'At most 100 rows.', '1000': 'At most 1,000 rows.' },
    preset: '100',
    handling: 'Limit=1000 is always sent.',
  },
  'time-bounds': {
    group: 'Pages and lists',
    line: 'startTime and endTime: LONG, ms. Whether a row at exactly that time is included is not described.',
    meaning: 'Whether rows at exactly startTime and endTime are listed.',
    values: {
      both: 'At both.',
      neither: 'At neither.',
      start: 'At startTime, not at endTime.',
      end: 'At endTime, not at startTime.',
    },
    preset: 'both',
    handling: 'Windows are requested a millisecond wider on each side, and full milliseconds in each way.',
  },
  filters: {
    group: 'Pages and lists',
    line: 'The reference request shape writes the pair filter as symbol while the parameter is named symbolId.',
    meaning: 'Which filters narrow a list. Times and limits always do.',
    values: {
      obeyed: 'All of them.',
      'symbol-ignored': 'All but the contract.',
      ignored: 'None: contract, order ID, side and liquidity are ignored.',
    },
    preset: 'obeyed',
    handling: 'The connection test reports it, and rows are filtered here.',
  },
  'resting-limit': {
    group: 'Pages and lists',
    line: '700052: Maximum number of orders exceeded. The number is not shown; openOrder lists at most 1,000.',
    meaning: 'Most open orders of an account.',
    values: {
      '200': '200 orders.',
      '1000': '1,000 orders.',
      '3000': '3,000 orders, more than a list shows.',
    },
    preset: '1000',
    range: [1, 100_000],
    handling: 'A list of 1,000 rows is read as “at least 1,000”.',
  },
  'open-orders': {
    group: 'Pages and lists',
    line: 'Open order record, status: OPEN, FILLED, CANCELED.',
    meaning: 'Which orders the list of open ones has.',
    values: { resting: 'Those that rest.', ended: 'Also the newest that were filled or cancelled.' },
    preset: 'resting',
    handling: 'Only resting ones are listed and counted; order history has the others.',
  },
  'batch-limit': {
    group: 'Pages and lists',
    line: 'Maximum number of orders in one batch call: not shown.',
    meaning: 'Most orders of one batch call; more are rejected with 700052.',
    values: { '5': '5 orders.', '20': '20 orders.', '100': '100 orders.' },
    preset: '100',
    range: [1, 100],
    handling: 'Choose the orders per call in the batch screen.',
  },
  decimals: {
    group: 'Figures',
    line: 'Numbers that carry money, prices or quantities are returned as decimal STRINGs. Their length is not limited.',
    meaning: 'How many digits a figure has, and whether it may have an exponent.',
    values: {
      plain: 'As many as the contract and the coin have.',
      short: 'No zeros at the end: 0.1.',
      padded: 'Zeros up to 20 decimals.',
      long: '40 decimals, and a coin with 40 digits before the point.',
      longest: '60 decimals, and a coin with 60 digits before the point.',
      exponent: 'Zero as 0E-8, figures below a millionth as 1.5E-7.',
    },
    preset: 'plain',
    handling: 'Stored, exported and shown digit for digit.',
  },
  'text-fields': {
    group: 'Figures',
    line: 'Decimals and identifiers are STRINGs. Some exchanges send JSON numbers all the same.',
    meaning: 'Whether decimals and IDs are JSON texts or JSON numbers.',
    values: {
      text: 'All are text.',
      'decimals-as-numbers': 'Decimals are numbers.',
      numbers: 'Decimals are numbers, and so are IDs made of digits.',
    },
    preset: 'text',
    handling: 'A number in place of text is read digit for digit.',
  },
  integers: {
    group: 'Figures',
    line: 'INTEGER fields (times, leverage, counts). Some exchanges send text all the same.',
    meaning: 'Whether INTEGER fields are JSON numbers or JSON texts.',
    values: { numbers: 'All are numbers.', text: 'All are text.' },
    preset: 'numbers',
    handling: 'Digits are read as the number.',
  },
  'no-figure': {
    group: 'Figures',
    line: 'price: “Meaningful for limit orders”; profit: “valid after fill”; liquidationFeeRate: “Empty when not a liquidation order”; lastPrice: “may be empty”.',
    meaning: 'What a field holds that has a meaning only sometimes.',
    values: {
      mixed: 'Zero where the type is STRING, null where it may be null.',
      empty: 'Empty text.',
      null: 'null.',
      zero: 'Zero.',
    },
    preset: 'mixed',
    handling: 'Empty text and null are “not given”.',
  },
  ratios: {
    group: 'Figures',
    line: 'crossedMaintainMarginRate, marginRate, profitUnrealRate: “Margin rate”, without a unit.',
    meaning: 'Whether 1 or 100 means 100%.',
    values: { '1': '1 is 100%.', '100': '100 is 100%.' },
    preset: '1',
    setting: 'Unit of margin and profit rates',
    handling:
      'Compared with margin and equity. Until they agree, the setting decides; without it the rate is shown as received, and not rated.',
  },
  profit: {
    group: 'Figures',
    line: 'profit: “Realized PnL, valid after fill”. Whether fees are in it is not described.',
    meaning: 'Whether the profit of an order is before or after its fee.',
    values: { 'before-fees': 'Before the fee.', 'after-fees': 'The fee is already deducted.' },
    preset: 'before-fees',
    setting: 'Closed PnL of an order',
    handling:
      'Compared with what the trades of closed positions brought. Until three agree, the setting decides; without it profits are read as before fees. Sums and tax files count no fee twice.',
  },
  'sold-sizes': {
    group: 'Figures',
    line: 'quantity: “Position quantity”; side: “SELL = short”. Whether what is sold or held short has a minus, too, is not described.',
    meaning: 'How sizes and values of sells and short positions are written.',
    values: { plain: 'Without a sign.', minus: 'Below zero.' },
    preset: 'plain',
    handling: 'Read without the minus. A long position below zero has no quantity.',
  },
  'order-ids': {
    group: 'Names and IDs',
    line: 'Identifiers of orders and positions are returned as STRINGs (64-bit integers rendered as text).',
    meaning: 'Which 64-bit integers the IDs of orders and positions are.',
    values: {
      signed: '19 digits, above 2^53.',
      unsigned: '20 digits, just below 2^64.',
      small: '1, 2, 3 and so on.',
    },
    preset: 'signed',
    handling: 'Ids are text.',
  },
  'trade-ids': {
    group: 'Names and IDs',
    line: `tradeId: STRING. ${NAMES}`,
    meaning: 'What the ID of a trade looks like.',
    values: {
      digits: '19 digits.',
      uuid: 'A UUID, in no order.',
      'any-text': 'Text with spaces, quotes, commas, signs and letters beyond ASCII.',
    },
    preset: 'digits',
    handling: READ_ANY_TEXT,
  },
  'other-ids': {
    group: 'Names and IDs',
    line: `uid, conditionOrderId: STRING. ${NAMES}`,
    meaning: 'What the IDs of the account and of TP/SL orders look like.',
    values: {
      digits: '19 digits.',
      uuid: 'A UUID.',
      'any-text': 'Text with signs and letters beyond ASCII.',
    },
    preset: 'digits',
    handling: READ_ANY_TEXT,
  },
  'coin-names': {
    group: 'Names and IDs',
    line: `coin: “coin name”; feeAssetId, lockAssetId, feeAsset: STRING. ${NAMES}`,
    meaning: 'How coins are spelled.',
    values: {
      upper: 'USDT.',
      lower: 'usdt.',
      underscore: 'USDT_1.',
      'beyond-ascii': 'USDT币.',
    },
    preset: 'upper',
    handling: READ_ANY_TEXT,
  },
  'lock-asset': {
    group: 'Names and IDs',
    line: 'lockAssetId: STRING, currency of locked margin. Whether it may be empty is not described.',
    meaning: 'What an order of the history says its margin was locked in.',
    values: { coin: 'The margin coin.', empty: 'Empty text.' },
    preset: 'coin',
    handling: 'Without it an order’s profit is in its fee currency.',
  },
  'contract-names': {
    group: 'Names and IDs',
    line: 'symbolId: STRING, trading pair id, shape <BASE>-<QUOTE>-M. The characters of base and quote are not limited.',
    meaning: 'How contracts are spelled.',
    values: {
      upper: 'BTC-USDT-M.',
      lower: 'btc-usdt-M.',
      underscore: 'BTC_1-USDT-M.',
      'beyond-ascii': 'BTC币-USDT-M.',
    },
    preset: 'upper',
    handling: READ_ANY_TEXT,
  },
  'trade-symbols': {
    group: 'Names and IDs',
    line: 'Trade record, symbol: STRING, trading pair. Its shape is not described.',
    meaning: 'How a trade names its contract.',
    values: { contract: 'As symbolId does.', pair: 'As a pair: BTCUSDT.' },
    preset: 'contract',
    handling: 'Matched to a contract where only one fits, else shown as received.',
  },
  'trigger-names': {
    group: 'Enum values',
    line: 'TriggerTypeEnum: NONE occurs. The complete list is not shown.',
    meaning: 'Names of the two trigger types, by last price and by mark price.',
    values: {
      'last-mark': 'LAST_PRICE and MARK_PRICE.',
      'market-fair': 'MARKET_PRICE and FAIR_PRICE.',
      lower: 'last and mark.',
    },
    preset: 'last-mark',
    setting: 'TP/SL trigger names',
    handling: 'Add the names your exchange uses.',
  },
  liquidity: {
    group: 'Enum values',
    line: 'Liquidity: TAKER occurs. The complete list is not shown.',
    meaning: 'The value for a fill that was not the taker’s.',
    values: { MAKER: 'MAKER.', Maker: 'Maker.', PASSIVE: 'PASSIVE.' },
    preset: 'MAKER',
    handling: 'An unknown value is kept, shown and listed as drift.',
  },
  'cancel-reasons': {
    group: 'Enum values',
    line: 'Meaning of cancelReason values other than 1 and 2: not shown.',
    meaning: 'Numbers of cancel reasons beyond the two listed.',
    values: {
      listed: '0 where nothing was cancelled, else 1 or 2.',
      more: '-1 where nothing was cancelled, 3 for what IOC and FOK leave.',
    },
    preset: 'listed',
    handling: 'An unknown number is kept, shown and listed as drift.',
  },
  tiers: {
    group: 'Account',
    line: 'riskLimitConfigs: whether a tier’s rate applies to the whole value or to the part above the tier before is not described.',
    meaning: 'How maintenance margin follows from the tiers.',
    values: {
      flat: 'The tier’s rate on the whole position value.',
      marginal: 'Each tier’s rate on its own part.',
    },
    preset: 'flat',
    setting: 'Maintenance across tiers, for estimates',
    handling: 'Inferred from open positions where they show it.',
  },
  positions: {
    group: 'Account',
    line: 'positionMode: HEDGE or ONEWAY.',
    meaning: 'Whether a contract may have a long and a short position at once.',
    values: { 'one-way': 'One position per contract.', hedge: 'A long and a short one.' },
    preset: 'one-way',
    handling: 'Read from each record.',
  },
  'listed-positions': {
    group: 'Account',
    line: 'positions: ARRAY of position records; quantity: “Position quantity”. Whether one of 0 is listed is not described.',
    meaning: 'Which positions the account lists.',
    values: {
      held: 'Those that are held.',
      all: 'One of each contract, of quantity 0 where nothing is held.',
    },
    preset: 'held',
    handling: 'One of quantity 0 is taken for none.',
  },
  'market-orders': {
    group: 'Account',
    line: 'Required for type LIMIT: quantity and price. Required parameters for other types: not shown.',
    meaning: 'What a market order must carry beside its quantity.',
    values: {
      nothing: 'Nothing.',
      'time-in-force': 'A time in force; without one it is rejected with 700004.',
    },
    preset: 'nothing',
    handling: 'Choose a time in force for the market order in the ticket.',
  },
  failures: {
    group: 'HTTP',
    line: 'Shape of the body of a failed call: not shown. Mapping of codes to HTTP status codes: not shown.',
    meaning: 'HTTP status and body of a rejected request.',
    values: {
      '200': 'HTTP 200 with the envelope.',
      '400': 'HTTP 400 with the envelope.',
      '500': 'HTTP 500 with the envelope: an order’s outcome is then unknown.',
      'no-message': 'HTTP 200 with code and success only.',
      'other-shape': 'HTTP 400 with {"error": …, "status": …}: an order’s outcome is then unknown.',
    },
    preset: '200',
    setting: 'Error codes that mean rejected',
    handling:
      'Add codes beyond the documented ones. Anything else is an unknown outcome, which is reconciled.',
  },
  'retry-after': {
    group: 'HTTP',
    line: 'Rate limits: not shown.',
    meaning: 'How a reply with HTTP status 429 says when to come back.',
    values: { seconds: 'Retry-After in seconds.', date: 'Retry-After as a date.', absent: 'Not at all.' },
    preset: 'seconds',
    handling:
      'Obeyed; a date counts from the Date of the same reply. Without it the pause starts at 60 s and doubles.',
  },
  'date-header': {
    group: 'HTTP',
    line: 'Request headers: not shown. Response headers are not described.',
    meaning: 'How the Date header compares with the exchange’s own clock.',
    values: {
      exact: 'It shows the same time.',
      absent: 'There is none.',
      ahead: 'It is 40 s ahead.',
      behind: 'It is 40 s behind.',
    },
    preset: 'exact',
    handling:
      'The connection test compares the clocks. Lost orders are looked for by this computer’s clock, too, up to 2 min apart.',
  },
  'body-type': {
    group: 'HTTP',
    line: 'Request bodies are JSON; content type and encoding of request bodies: not shown.',
    meaning: 'Which Content-Type a request body must have; another one gets HTTP 415.',
    values: {
      any: 'Any, or none.',
      json: 'application/json, with or without parameters.',
      'json-utf8': 'application/json; charset=utf-8.',
      text: 'text/plain.',
    },
    preset: 'any',
    setting: 'Content type of orders',
    handling: 'application/json unless set otherwise. No read shows it: send a small order to try.',
  },
  'extra-fields': {
    group: 'HTTP',
    line: 'Records and envelope are listed; whether others may be added without a new version is not described.',
    meaning: 'Whether replies carry fields the exchange API does not list.',
    values: { none: 'None.', some: 'In every record, nested ones and the envelope included.' },
    preset: 'none',
    handling: 'Unknown fields are dropped; all but those of the envelope are listed as drift.',
  },
} as const satisfies Readonly<Record<string, Habit>>;

export type HabitName = keyof typeof HABITS;
type Values = { readonly [K in HabitName]: keyof (typeof HABITS)[K]['values'] };
type Ranged = { [K in HabitName]: (typeof HABITS)[K] extends { range: unknown } ? K : never }[HabitName];
/** A value for every habit. */
export type Habits = { readonly [K in HabitName]: K extends Ranged ? string : Values[K] };

export const HABIT_NAMES = Object.keys(HABITS) as readonly HabitName[];

/** Thrown for an unknown habit or value; the message names it and the valid ones. */
export class HabitFault extends Error {
  override readonly name = 'HabitFault';
}

const isHabit = (name: string): name is HabitName => Object.hasOwn(HABITS, name);

function isValue({ values, range }: Habit, given: unknown): boolean {
  if (typeof given !== 'string' && typeof given !== 'number') return false;
  const value = String(given);
  if (Object.hasOwn(values, value)) return true;
  const number = /^[1-9]\d{0,8}$/.test(value) ? Number.parseInt(value, 10) : 0;
  return range !== undefined && number >= range[0] && number <= range[1];
}

/** Describes the first unknown name or value; null when there is none. */
export function habitFault(input: object): string | null {
  for (const [name, value] of Object.entries(input)) {
    if (!isHabit(name)) return `no habit ${name.slice(0, 40)}; there are: ${HABIT_NAMES.join(', ')}`;
    const habit: Habit = HABITS[name];
    if (isValue(habit, value)) continue;
    const range = habit.range ? `, or a whole number from ${habit.range[0]} to ${habit.range[1]}` : '';
    const given = String(value).slice(0, 40);
    return `${name} must be one of ${Object.keys(habit.values).join(', ')}${range}, not “${given}”`;
  }
  return null;
}

/**
 * Habits by name, as in a file or on a command line. A number counts as its text. Throws HabitFault for an unknown
 * name or value.
 */
export function namedHabits(input: unknown): Readonly<Record<string, string>> {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new HabitFault('habits are a JSON object of names and values, such as {"page-base": "0"}');
  const fault = habitFault(input);
  if (fault !== null) throw new HabitFault(fault);
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]));
}

const isComplete = (input: Readonly<Record<string, string>>): input is Habits =>
  HABIT_NAMES.every((name) => Object.hasOwn(input, name)) && habitFault(input) === null;

/** A value for every habit; the others are the default. Throws HabitFault. */
export function readHabits(input: unknown): Habits {
  const presets = Object.fromEntries(HABIT_NAMES.map((name) => [name, HABITS[name].preset]));
  const habits: Record<string, string> = { ...presets, ...namedHabits(input) };
  if (!isComplete(habits)) throw new HabitFault('a habit has no value');
  return habits;
}

export const DEFAULT_HABITS: Habits = readHabits({});

/** The habits that differ from the default, to be written down. */
export function changedHabits(habits: Habits): Readonly<Record<string, string>> {
  return Object.fromEntries(
    HABIT_NAMES.filter((name) => habits[name] !== DEFAULT_HABITS[name]).map((name) => [name, habits[name]]),
  );
}
