/**
 * Measures the calculations at each keystroke: all figures of an order with 200 positions in the account, and one
 * liquidation price compared with the same formula written out.
 */
import Big from 'big.js';
import { Decimal } from 'decimal.js';
import type { AccountInfo, Position } from '../src-shared/exchange-api/account.ts';
import { crossLiquidation, isolatedLiquidation } from '../src-shared/domain/margin/liquidation.ts';
import { checkOrder } from '../src-shared/domain/order/rules.ts';
import type { OrderContext } from '../src-shared/domain/instrument/trading-context.ts';
import { EMPTY_DRAFT, readDraft } from '../src-shared/domain/order/draft.ts';
import { contractOf } from '../src-shared/domain/instrument/trading-context.ts';
import { previewOrder } from '../src-shared/domain/order/preview.ts';
import { liquidationOf, whatIf } from '../src-shared/domain/risk/what-if.ts';
import { prepareWhatIf } from '../src-shared/domain/risk/what-if-inputs.ts';
import { account, context, LINEAR, position, TIERS } from '../tests/domain/order-samples.ts';
import { median, type Bench, type BenchFile } from './harness.ts';

const POSITIONS = 200;
const KEYS = 200;
const WARM_UP = 50;
const ROUNDS = 15;
const FRAME_MS = 16;
const FEE = '0.0005';
const RATE = '0.005';

const symbolOf = (n: number): string => (n === 0 ? 'BTC-USDT-M' : `C${n}-USDT-M`);

/** Cross positions of one coin, so that each depends on all: small, alternately long and short. */
const held: readonly Position[] = Array.from({ length: POSITIONS }, (_, n) =>
  position({
    symbolId: symbolOf(n),
    side: n % 2 === 0 ? 'BUY' : 'SELL',
    quantity: `0.${String(101 + n)}`,
    avgEntryPrice: `${95_000 + n * 10}.5`,
    markPrice: `${95_700 + n * 7}.3`,
  }),
);
const where: OrderContext = context({
  contracts: held.map((one) => ({ ...LINEAR, symbolId: one.symbolId, riskLimitConfigs: [...TIERS] })),
  account: account(held),
});

/** The same account in new records, as the next poll brings it, so that nothing memoised applies. */
const polled = (): OrderContext => ({ ...where, account: account(held.map((one) => ({ ...one }))) });

/** One keystroke: parses the ticket's text, computes its figures and checks. */
function key(n: number, where: OrderContext): void {
  const draft = {
    ...EMPTY_DRAFT,
    symbolId: 'BTC-USDT-M',
    price: `9725${n % 10}.0`,
    size: `0.${String(100 + n)}`,
  };
  const { request, faults } = readDraft(draft, where);
  if (request === null) throw new Error(faults.map((fault) => fault.message).join(' '));
  const result = previewOrder(request, where);
  if (!result.ok) throw new Error(result.reason);
  if (result.preview.liquidation.after.value === null && !result.preview.noLiquidation)
    throw new Error(result.preview.liquidation.after.reason);
  checkOrder({ kind: 'order', request }, where, result);
}

function typing({ report }: Bench): void {
  const taken: number[] = [];
  const first: number[] = [];
  for (let n = 0; n < WARM_UP + KEYS; n++) {
    const fresh = polled();
    const from = performance.now();
    key(n, fresh);
    const half = performance.now();
    key(n + 1, fresh);
    if (n < WARM_UP) continue;
    first.push(half - from);
    taken.push(performance.now() - half);
  }
  taken.sort((a, b) => a - b);
  const frame = { unit: 'ms', baseline: 'one frame (target)', baselineValue: FRAME_MS };
  const p99 = taken[Math.floor(KEYS * 0.99)] ?? NaN;
  report({
    figure: `a key in the ticket beside ${POSITIONS} positions, p50`,
    value: median(taken),
    ...frame,
  });
  report({ figure: `a key in the ticket beside ${POSITIONS} positions, p99`, value: p99, ...frame });
  report({ figure: 'the first key after a poll, p50', value: median(first), ...frame });
}

const CURVE = 41;

/** One keystroke in the what-if with a new account: its figures and its curve of liquidation prices. */
function whatIfs({ report }: Bench): void {
  const contract = contractOf('BTC-USDT-M', where);
  const { specs, convention, closingFee, contracts } = where;
  if (contract === null || contracts === null) throw new Error('no account');
  const bySymbol = new Map(contracts.map((one) => [one.symbolId, one]));
  const contractBySymbol = (id: string) => bySymbol.get(id);
  const once = (n: number, info: AccountInfo): void => {
    const within = { account: info, contractOf: contractBySymbol, specs, convention, closingFee };
    const basis = prepareWhatIf(contract, '97000.0', within);
    if (typeof basis === 'string') throw new Error(basis);
    const input = { side: 'BUY', entryPrice: '95000.5', leverage: '20', isolated: false } as const;
    const result = whatIf({ ...input, quantity: `1.${100 + n}` }, basis);
    if (typeof result === 'string') throw new Error(result);
    for (let size = 1; size <= CURVE; size++) liquidationOf({ ...input, quantity: `0.${100 + size}` }, basis);
  };
  const taken: number[] = [];
  for (let n = 0; n < WARM_UP + KEYS; n++) {
    const { account: info } = polled();
    if (info === null) throw new Error('no account');
    const from = performance.now();
    once(n, info);
    if (n >= WARM_UP) taken.push(performance.now() - from);
  }
  report({
    figure: `a key in the what-if beside ${POSITIONS} positions, with its curve, p50`,
    value: median(taken),
    unit: 'ms',
    baseline: 'one frame (target)',
    baselineValue: FRAME_MS,
  });
}

/** µs per call, for `POSITIONS` calls. */
function each(work: () => void): number {
  const taken: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const from = performance.now();
    work();
    if (round > 0) taken.push(((performance.now() - from) * 1000) / POSITIONS);
  }
  return median(taken);
}

const MARGIN = '950.5';
const exposures = held.map((one) => ({
  contractSide: 'FORWARD' as const,
  side: one.side === 'BUY' ? ('BUY' as const) : ('SELL' as const),
  quantity: one.quantity ?? '0',
  entryPrice: one.avgEntryPrice ?? '0',
  tiers: TIERS,
  convention: 'flat' as const,
}));

/** Linear, first tier, flat: long (q·e − m) / q(1 − r − f), short (q·e + m) / q(1 + r + f). */
function inBig(q: string, e: string, long: boolean): string {
  const quantity = new Big(q);
  const entry = quantity.times(e);
  const share = new Big(RATE).plus(FEE);
  return (
    long
      ? entry.minus(MARGIN).div(quantity.times(new Big(1).minus(share)))
      : entry.plus(MARGIN).div(quantity.times(new Big(1).plus(share)))
  ).toFixed();
}
function inDecimals(q: string, e: string, long: boolean): string {
  const quantity = new Decimal(q);
  const entry = quantity.times(e);
  const share = new Decimal(RATE).plus(FEE);
  return (
    long
      ? entry.minus(MARGIN).div(quantity.times(new Decimal(1).minus(share)))
      : entry.plus(MARGIN).div(quantity.times(new Decimal(1).plus(share)))
  ).toFixed();
}
function inFloats(q: string, e: string, long: boolean): number {
  const [quantity, entry, margin, share] = [Number(q), Number(e), Number(MARGIN), Number(RATE) + Number(FEE)];
  return long
    ? (quantity * entry - margin) / (quantity * (1 - share))
    : (quantity * entry + margin) / (quantity * (1 + share));
}

function liquidations({ report }: Bench): void {
  Big.DP = 40; // as in amount.ts
  const isolated = (one: (typeof exposures)[number]): string | null =>
    isolatedLiquidation({ ...one, margin: MARGIN, feeRate: FEE });
  for (const one of exposures) {
    const float = inFloats(one.quantity, one.entryPrice, one.side === 'BUY');
    const big = Number(inBig(one.quantity, one.entryPrice, one.side === 'BUY'));
    // Beyond the first tier the written-out formula does not hold, so nothing could be compared.
    for (const other of [Number(isolated(one)), big])
      if (Math.abs(other / float - 1) > 1e-9) throw new Error(`${other} is not ${float}`);
  }
  const ours = { figure: 'liquidation price of an isolated position', unit: 'µs' };
  const value = each(() => exposures.forEach(isolated));
  const big = each(() => exposures.forEach((one) => inBig(one.quantity, one.entryPrice, one.side === 'BUY')));
  const decimals = each(() =>
    exposures.forEach((one) => inDecimals(one.quantity, one.entryPrice, one.side === 'BUY')),
  );
  report({
    ...ours,
    value,
    baseline: 'first tier’s formula written out, decimal.js',
    baselineValue: decimals,
  });
  const float = each(() =>
    exposures.forEach((one) => inFloats(one.quantity, one.entryPrice, one.side === 'BUY')),
  );
  report({ ...ours, value, baseline: 'first tier’s formula written out, big.js', baselineValue: big });
  report({
    ...ours,
    value,
    baseline: 'first tier’s formula written out, inexact floats',
    baselineValue: float,
  });
  const positions = exposures.map((one, n) => ({
    ...one,
    symbolId: symbolOf(n),
    markPrice: held[n]?.markPrice ?? '0',
  }));
  report({
    figure: `all ${POSITIONS} cross liquidation prices of a coin`,
    value:
      (each(() => void crossLiquidation({ walletBalance: '90000', positions, feeRate: FEE })) * POSITIONS) /
      1000,
    unit: 'ms',
    baseline: 'one frame (target)',
    baselineValue: FRAME_MS,
  });
}

const bench: BenchFile = (out) => {
  typing(out);
  whatIfs(out);
  liquidations(out);
  return Promise.resolve();
};
export default bench;
