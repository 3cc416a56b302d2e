/** The practice exchange's controls across the bridge. They are no part of the interface, and practice's alone. */
import * as v from 'valibot';
import { isUnsignedDecimal } from '../amount.ts';

/** What a scripted fault does to a reply. */
export const FAULT_ACTIONS = {
  delay: 'answered 5 s late',
  reset: 'connection reset, no answer',
  cut: 'half of the bytes, then a reset',
  status: 'HTTP 503 with an HTML page',
  html: 'HTTP 200 with an HTML page',
  truncated: 'half a JSON text',
  'duplicate-keys': 'a repeated key',
  contradictory: 'code 0 but success false',
  'no-data': 'an envelope without data',
  'rate-limit': 'HTTP 429 with Retry-After',
  code: 'refused with code 700000',
  'delayed-visibility': 'rows of the last minute not listed',
  'page-drift': 'a trade between two pages',
  'unknown-enum': 'words no list has',
} as const;
export type FaultAction = keyof typeof FAULT_ACTIONS;
export const FAULT_ENDPOINTS = {
  order: 'Place order',
  batchOrders: 'Place a batch',
  account: 'Account',
  openOrder: 'Open orders',
  orderHis: 'Order history',
  symbolConfig: 'Contracts',
  trades: 'Trades',
  '*': 'All',
} as const;
export type FaultEndpoint = keyof typeof FAULT_ENDPOINTS;

const keysOf = <T extends string>(table: Readonly<Record<T, string>>): T[] => Object.keys(table) as T[];
const decimal = v.pipe(v.string(), v.check(isUnsignedDecimal, 'a plain decimal, such as 0.9'));
const count = (low: number, high: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(low), v.maxValue(high));

const word = v.pipe(v.string(), v.maxLength(40));

/** What the settings of the practice connection say, by the habits of its exchange. */
export const practiceTermsSchema = v.object({
  triggerTypes: v.array(v.string()),
  convention: v.picklist(['flat', 'marginal']),
});
export type PracticeTerms = v.InferOutput<typeof practiceTermsSchema>;

export const practiceChangeSchema = v.variant('do', [
  /** Pace of its clock: 1 is real time, 0 stands still. */
  v.strictObject({ do: v.literal('pace'), speed: count(0, 3600) }),
  v.strictObject({ do: v.literal('advance'), ms: count(1, 31 * 86_400_000) }),
  /** Multiplies the price of the contract's base coin, in all its contracts. */
  v.strictObject({ do: v.literal('shock'), symbolId: v.pipe(v.string(), v.maxLength(60)), share: decimal }),
  v.strictObject({
    do: v.literal('fault'),
    endpoint: v.picklist(keysOf(FAULT_ENDPOINTS)),
    action: v.picklist(keysOf(FAULT_ACTIONS)),
    /** The first request it meets, and how many in a row; 0 for all. */
    nth: count(1, 1000),
    times: count(0, 1000),
    /** Whether the exchange had acted before the reply was spoiled. */
    accept: v.boolean(),
    /** How late an answer comes, or how young a row is that is not listed yet. */
    ms: v.exactOptional(count(0, 600_000)),
  }),
  v.strictObject({ do: v.literal('clear-faults') }),
  /** Trial funds. */
  v.strictObject({
    do: v.literal('grant'),
    coin: v.pipe(v.string(), v.regex(/^[A-Z0-9]{1,12}$/, 'a coin, such as USDT')),
    amount: decimal,
  }),
  /** A person's cancel on the exchange's own page, which the interface lacks. */
  v.strictObject({ do: v.literal('cancel'), orderId: v.pipe(v.string(), v.regex(/^\d{1,20}$/, 'digits')) }),
  /** A fresh exchange; with other habits (name and value of each that is no default) when they are given. */
  v.strictObject({ do: v.literal('reset'), habits: v.exactOptional(v.record(word, word)) }),
]);
export type PracticeChange = v.InferOutput<typeof practiceChangeSchema>;

/** What the controls tell: the part of their state that the window shows. */
export const practiceStateSchema = v.object({
  clock: v.object({ now: v.number(), speed: v.number() }),
  seed: v.number(),
  exchangeId: v.string(),
  settings: practiceTermsSchema,
  contracts: v.array(
    v.object({
      symbolId: v.string(),
      open: v.boolean(),
      mark: v.string(),
      last: v.string(),
      index: v.string(),
    }),
  ),
  account: v.object({ openOrders: v.number() }),
  balances: v.array(
    v.object({
      coin: v.string(),
      balance: v.string(),
      equities: v.string(),
      available: v.string(),
      trialFundBalance: v.string(),
    }),
  ),
  /** The newest ones; `account.openOrders` counts all. */
  resting: v.array(
    v.object({
      orderId: v.string(),
      symbolId: v.string(),
      side: v.string(),
      price: v.string(),
      quantity: v.string(),
      reduceOnly: v.boolean(),
    }),
  ),
  faults: v.array(
    v.object({
      id: v.number(),
      endpoint: v.string(),
      action: v.string(),
      nth: v.exactOptional(v.number()),
      times: v.exactOptional(v.number()),
      accept: v.exactOptional(v.boolean()),
      hits: v.number(),
    }),
  ),
});
export type PracticeState = v.InferOutput<typeof practiceStateSchema>;
export type PracticeBalance = PracticeState['balances'][number];
export type PracticeOrder = PracticeState['resting'][number];

/** What the interface leaves open, and how the running exchange decides it. */
export const practiceHabitsSchema = v.array(
  v.object({
    name: v.string(),
    group: v.string(),
    meaning: v.string(),
    line: v.string(),
    preset: v.string(),
    value: v.string(),
    values: v.array(v.object({ value: v.string(), meaning: v.string() })),
  }),
);
export type PracticeHabit = v.InferOutput<typeof practiceHabitsSchema>[number];
