/** The contracts of an exchange: the table's, the next quarters' deliveries, and generated ones for long lists. */
import { LARGE, linear, SMALL, SPECS, tiers } from './contract-table.ts';
import { buildContract } from './contracts.ts';
import type { Contract, ContractSpec } from './contracts.ts';
import { DAY_MS } from '../../src-shared/time.ts';

/** A power of ten as text: 2 → `100`, −3 → `0.001`. */
const power = (exponent: number): string =>
  exponent < 0 ? `0.${'1'.padStart(-exponent, '0')}` : `1${'0'.repeat(exponent)}`;

/**
 * Generates a contract beyond the table: price from 0.00001 to 9,999 with five digits, a lot of about 1 to 9 USDT, and
 * the tiers of a small or large coin in turn.
 */
function generated(number: number): ContractSpec {
  const exponent = (number % 9) - 5;
  const mantissa = 1 + (number % 8);
  const digits = `${mantissa}${String((number * 7919) % 10_000).padStart(4, '0')}`;
  const places = 4 - exponent;
  const padded = digits.padStart(places + 1, '0');
  const point = padded.length - places;
  return linear(`SYN${String(number).padStart(3, '0')}`, {
    stream: PAST_CONTRACTS + number - 1,
    tick: power(exponent - 4),
    lot: power(-exponent),
    minLots: 1,
    maxLots: 1_000_000,
    startPrice: `${padded.slice(0, point)}.${padded.slice(point)}`,
    volatility: 100 + (number % 10) * 12,
    quoteLots: Math.trunc(30_000 / mantissa),
    defaultLeverage: 5,
    defaultMarginMode: number % 2 === 0 ? 'CROSSED' : 'ISOLATED',
    tiers: tiers(number % 3 === 0 ? LARGE : SMALL),
  });
}

/** Delivery contracts are named by month and day, so the same four names return every year. */
const QUARTERS = [
  [3, 26],
  [6, 25],
  [9, 25],
  [12, 25],
] as const;
const EXPIRY_HOUR = 8;
const LISTED_AT_LEAST_MS = DAY_MS;

/** The quarter ends after `start`, soonest first: `[MMDD, milliseconds]`. */
function expiriesAfter(start: number): (readonly [string, number])[] {
  const year = new Date(start).getUTCFullYear();
  return [year, year + 1]
    .flatMap((each) =>
      QUARTERS.map(([month, day]) => {
        const name = `${String(month).padStart(2, '0')}${day}`;
        return [name, Date.UTC(each, month - 1, day, EXPIRY_HOUR)] as const;
      }),
    )
    .filter(([, at]) => at > start + LISTED_AT_LEAST_MS);
}

/** A perpetual's terms, settling at a quarter's end. */
function delivery(of: string, stream: number, expiry: readonly [string, number] | undefined): ContractSpec {
  const spec = SPECS.find(({ symbolId }) => symbolId === of);
  if (!spec || !expiry) throw new Error(`no terms for a delivery contract of ${of}`);
  const symbolId = `${spec.base}${expiry[0]}-${spec.quote}-M`;
  return { ...spec, symbolId, stream, contractType: 'DELIVERY', expiry: expiry[1] };
}

function deliveries(start: number): ContractSpec[] {
  const [next, after] = expiriesAfter(start);
  return [delivery('BTC-USDT-M', 5_010, next), delivery('ETH-USD-M', 5_011, after)];
}

/** How many contracts the account's past trades. Contracts added to the table later do not change the past. */
export const PAST_CONTRACTS = 7;
export const STANDARD_CONTRACTS = SPECS.length + 2;
export const MOST_CONTRACTS = 1000;

/** The first `count` contracts of an exchange that opens at `start` (milliseconds since 1970). */
export function contractTable(count: number, start: number): Contract[] {
  const more = Array.from({ length: Math.max(0, count - STANDARD_CONTRACTS) }, (_, i) => generated(i + 1));
  return [...SPECS, ...deliveries(start), ...more]
    .slice(0, count)
    .map((spec, ordinal) => buildContract(spec, ordinal));
}
