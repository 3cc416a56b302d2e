/** Validates and encodes the query parameters of the read endpoints. */
import * as v from 'valibot';
import { blocked, done, type Result } from '../../src-shared/ipc/failures.ts';
import { ENDPOINTS, MAX_RESULTS, type ReadEndpoint } from '../../src-shared/exchange-api/endpoints.ts';
import { parameter } from './base-url.ts';

const name = v.pipe(
  v.string(),
  v.regex(/^[^\p{C}]{1,200}$/u, '1 to 200 characters, none of them control characters'),
);
const orderId = v.pipe(v.string(), v.regex(/^\d{1,20}$/, 'digits, as text'));
const time = v.pipe(v.number(), v.safeInteger('whole milliseconds'), v.minValue(0, 'not before 1970'));
const limit = v.pipe(
  v.number(),
  v.safeInteger('a whole number'),
  v.minValue(1, 'at least 1'),
  v.maxValue(MAX_RESULTS, `at most ${MAX_RESULTS}`),
);
const count = v.pipe(v.number(), v.safeInteger('a whole number'), v.minValue(0, 'not negative'));

const openOrders = { symbolId: v.optional(name), orderId: v.optional(orderId), limit: v.optional(limit) };
const SCHEMAS = {
  account: v.strictObject({}),
  symbolConfig: v.strictObject({}),
  openOrders: v.strictObject(openOrders),
  orderHistory: v.strictObject({ ...openOrders, startTime: v.optional(time), endTime: v.optional(time) }),
  trades: v.strictObject({
    orderId: v.optional(orderId),
    startTime: v.optional(time),
    endTime: v.optional(time),
    liquidity: v.optional(name),
    side: v.optional(name),
    symbol: v.optional(name),
    pageNumber: v.optional(count),
    pageSize: v.optional(count),
  }),
} as const satisfies Record<ReadEndpoint, v.GenericSchema>;

/** The API does not document the default of `limit`, so it is always sent. */
const DEFAULTS: Readonly<Partial<Record<ReadEndpoint, Readonly<Record<string, number>>>>> = {
  openOrders: { limit: MAX_RESULTS },
  orderHistory: { limit: MAX_RESULTS },
};

/** Returns the encoded query in the API's order, or a failure with the invalid parameter. */
export function queryText(endpoint: ReadEndpoint, input: unknown): Result<string> {
  const parsed = v.safeParse<v.GenericSchema<unknown, Record<string, unknown>>>(SCHEMAS[endpoint], input);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const field = v.getDotPath(issue) ?? 'query';
    return blocked(
      `${field}: ${issue.message}.`,
      `Known: ${ENDPOINTS[endpoint].parameters.join(', ') || 'none'}.`,
      field,
    );
  }
  const values = { ...DEFAULTS[endpoint], ...parsed.output };
  const given = ENDPOINTS[endpoint].parameters.filter((one) => values[one] !== undefined);
  return done(given.map((one) => parameter(one, String(values[one]))).join('&'));
}
