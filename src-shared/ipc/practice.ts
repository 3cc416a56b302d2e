/** Defines the practice exchange's controls, which are not part of the exchange API. */
import * as v from 'valibot';
import { digits, textUpTo, whole } from './call.ts';
import { isUnsignedDecimal } from '../amount.ts';
import { DAY_MS } from '../time.ts';

/** What an injected fault does to a reply. */
export const FAULT_ACTIONS = {
  delay: 'reply delayed by 5 s',
  reset: 'connection reset, no reply',
  cut: 'half of the bytes, then a reset',
  status: 'HTTP 503 with an HTML page',
  html: 'HTTP 200 with an HTML page',
  truncated: 'half a JSON text',
  'duplicate-keys': 'a repeated key',
  contradictory: 'code 0 but success false',
  'no-data': 'a reply without data',
  'rate-limit': 'HTTP 429 with Retry-After',
  code: 'rejected with code 700000',
  'delayed-visibility': 'rows of the last minute not listed',
  'page-drift': 'a trade between two pages',
  'unknown-enum': 'unknown enum values',
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
const word = textUpTo(40);

/** The connection settings that match the practice exchange's habits. */
export const practiceTermsSchema = v.object({
  triggerTypes: v.pipe(v.array(v.string()), v.readonly()),
  convention: v.picklist(['flat', 'marginal']),
});
export type PracticeTerms = v.InferOutput<typeof practiceTermsSchema>;

export const practiceChangeSchema = v.variant('do', [
  /** Speed of its clock: 1 is real time, 0 is stopped. */
  v.strictObject({ do: v.literal('pace'), speed: whole(0, 3600) }),
  v.strictObject({ do: v.literal('advance'), ms: whole(1, 31 * DAY_MS) }),
  /** Multiplies the price of the symbol's base coin, in all its symbols. */
  v.strictObject({ do: v.literal('shock'), symbolId: textUpTo(60), share: decimal }),
  v.strictObject({
    do: v.literal('fault'),
    endpoint: v.picklist(keysOf(FAULT_ENDPOINTS)),
    action: v.picklist(keysOf(FAULT_ACTIONS)),
    /** The first request affected and the number of requests; 0 for all. */
    nth: whole(1, 1000),
    times: whole(0, 1000),
    /** Whether the exchange processes the request before the reply is corrupted. */
    accept: v.boolean(),
    /** Delay of a reply, or age below which a row is not listed yet. */
    ms: v.exactOptional(whole(0, 600_000)),
  }),
  v.strictObject({ do: v.literal('clear-faults') }),
  /** Adds trial funds. */
  v.strictObject({
    do: v.literal('grant'),
    coin: v.pipe(v.string(), v.regex(/^[A-Z0-9]{1,12}$/, 'a coin, such as USDT')),
    amount: decimal,
  }),
  /** Cancels as on the exchange's own page, which its API lacks. */
  v.strictObject({ do: v.literal('cancel'), orderId: digits }),
  /** Starts a new exchange, with the given habits if any. */
  v.strictObject({ do: v.literal('reset'), habits: v.exactOptional(v.record(word, word)) }),
]);
export type PracticeChange = v.InferOutput<typeof practiceChangeSchema>;

/** The part of the controls' state the window shows. */
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

/** How the running exchange decides what the exchange API leaves open. */
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
