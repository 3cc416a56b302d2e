/** Figures the exchange API allows and the practice exchange never sends: whatever holds them, nothing may throw. */
import { describe, expect, it } from 'vitest';
import { evaluate, FIRST_STATE } from '../../src-shared/domain/alerts/evaluate.ts';
import { batchAccount } from '../../src-shared/domain/batch/account-after.ts';
import { readDraft, convertedSize, EMPTY_DRAFT } from '../../src-shared/domain/order/draft.ts';
import { checkOrder } from '../../src-shared/domain/order/rules.ts';
import { SIZE_MODES } from '../../src-shared/domain/order/size.ts';
import { finish } from '../../src-shared/domain/numeric/steps.ts';
import { shockSteps } from '../../src-shared/domain/risk/liquidation-sequence.ts';
import { prepareSteps } from '../../src-shared/domain/risk/price-shock.ts';
import { coinAt, positionsAt } from '../../src-shared/domain/risk/shocked.ts';
import { shockOrders } from '../../src-shared/domain/risk/shock-orders.ts';
import { sharedContracts } from '../../src-shared/domain/portfolio/shared-contracts.ts';
import { coinSums } from '../../src-shared/domain/portfolio/sums.ts';
import { worstRatio } from '../../src-shared/domain/portfolio/worst-ratio.ts';
import { changesBetween, equityStateOf } from '../../src-shared/domain/position/balance-change.ts';
import { identityFaults } from '../../src-shared/domain/position/invariants.ts';
import {
  effectiveLeverage,
  nearestLiquidation,
  positionTier,
} from '../../src-shared/domain/position/metrics.ts';
import { coveredBy, excess, protectionOf } from '../../src-shared/domain/position/protection.ts';
import { fitAccount } from '../../src-shared/domain/risk/convention-fit.ts';
import { divergencesOf } from '../../src-shared/domain/risk/divergence.ts';
import { compareWithEstimate } from '../../src-shared/domain/risk/exchange-comparison.ts';
import { accountHealth } from '../../src-shared/domain/risk/account-health.ts';
import { afterRestingSteps } from '../../src-shared/domain/risk/after-fills.ts';
import { liquidationBreakdown } from '../../src-shared/domain/risk/liquidation-terms.ts';
import { marginBreakdown } from '../../src-shared/domain/risk/margin-breakdown.ts';
import { ladderSteps, reachedSteps } from '../../src-shared/domain/risk/resting-ladder.ts';
import { assetFields, positionFields } from '../../src-shared/exchange-api/account.ts';
import type { Field, FieldTable } from '../../src-shared/exchange-api/fields.ts';
import { openOrderFields } from '../../src-shared/exchange-api/open-order.ts';
import type { OrderRequest } from '../../src-shared/exchange-api/order-request.ts';
import type { OrderContext } from '../../src-shared/domain/instrument/trading-context.ts';
import { observation, SET } from './alert-samples.ts';
import { account, asset, context, INVERSE, LINEAR, openOrder, position } from './order-samples.ts';

const LARGEST = `${'9'.repeat(40)}.${'9'.repeat(40)}`;
const SMALLEST = `0.${'0'.repeat(39)}1`;
/** As a record holds them after reading. */
const VALUES: Readonly<Partial<Record<Field['kind'], readonly unknown[]>>> = {
  decimal: [null, '0', '-1', LARGEST, `-${LARGEST}`, SMALLEST],
  integer: [null, 0, -1],
  choice: ['', 'ODD'],
};
const cases = (table: FieldTable) =>
  Object.entries(table).flatMap(([field, { kind }]) =>
    (VALUES[kind] ?? []).map((value) => ({ change: { [field]: value }, title: `${field} ${String(value)}` })),
  );

const REQUESTS: readonly OrderRequest[] = ['BTC-USDT-M', 'BTC-USD-M'].flatMap((symbolId) =>
  (['BUY', 'SELL'] as const).flatMap((side): OrderRequest[] => {
    const quantity = symbolId === 'BTC-USD-M' ? '1000' : '0.85';
    const market = { symbolId, side, type: 'MARKET', quantity } as const;
    return [
      { ...market, type: 'LIMIT', timeInForce: 'GTC', price: '96000' },
      market,
      { ...market, reduceOnly: true },
      { ...market, tpSl: { tpTriggerType: 'NONE', slTriggerType: 'MARK_PRICE', slPrice: '90000' } },
    ];
  }),
);
const LIMITS = {
  priceDeviationPercent: '5',
  notional: '1',
  equitySharePercent: '1',
  referenceAgeSeconds: 60,
};

function use(where: OrderContext): void {
  for (const request of REQUESTS) checkOrder({ kind: 'order', request }, where);
  for (const { symbolId } of [LINEAR, INVERSE])
    for (const sizeMode of SIZE_MODES)
      for (const reduceOnly of [false, true]) {
        const draft = { ...EMPTY_DRAFT, symbolId, sizeMode, size: '5', price: '96000', reduceOnly };
        readDraft(draft, where);
        for (const mode of SIZE_MODES) convertedSize(draft, mode, where);
      }
  finish(afterRestingSteps(where));
  for (const { symbolId } of [LINEAR, INVERSE]) {
    finish(ladderSteps(symbolId, where));
    for (const price of ['1', '96000', '1000000']) finish(reachedSteps(symbolId, price, where));
  }
  const rows = REQUESTS.map((request, row) => ({ key: String(row), request, reference: '97000' }));
  batchAccount(rows, where, true);
  const held = where.account;
  if (held === null) return;
  const configs = new Map([LINEAR, INVERSE].map((one) => [one.symbolId, one]));
  const contractOf = (symbolId: string) => configs.get(symbolId);
  marginBreakdown(held, configs, '1', () => null);
  accountHealth(held, '1');
  const { specs, convention, closingFee } = where;
  const estimates = { account: held, contractOf, specs, convention, closingFee };
  for (const one of held.positions) {
    liquidationBreakdown(one, estimates);
    compareWithEstimate(one, estimates);
    effectiveLeverage(one, positionTier(one, contractOf(one.symbolId), undefined));
    for (const kind of ['TP', 'SL'] as const) excess(one, coveredBy(one, protectionOf(one), kind));
  }
  for (const one of fitAccount(estimates).positions) divergencesOf(one, where, '0.1');
  nearestLiquidation(held.positions);
  identityFaults(held);
  watch(where);
  const shock = finish(prepareSteps(estimates, () => '1.5'));
  const orders = shockOrders(estimates, shock, where.openOrders ?? []);
  const paths = { down: null, up: finish(shockSteps(shock, false, orders)) };
  positionsAt(paths, '0.7');
  coinAt(paths, 'USDT', '0.7');
  const both = ['a', 'b'].map((id) => ({ id, name: id, account: held }));
  sharedContracts(both, contractOf, () => () => undefined);
}

/** As read beside a window: alerts, the portfolio, the explained changes of equity. */
function watch({ account: held, openOrders }: OrderContext): void {
  if (held === null) return;
  for (const ratioUnit of [undefined, '1', '100'] as const) {
    const { state } = evaluate(FIRST_STATE, observation({ account: held, openOrders, ratioUnit }), SET);
    evaluate(state, observation({ account: held, openOrders: [], ratioUnit }), SET);
    worstRatio(held, ratioUnit);
  }
  coinSums([{ id: 'a', name: 'a', account: held }]);
  const before = equityStateOf(account([position()], [asset()]), 1, null);
  changesBetween(before, equityStateOf(held, 2, before));
}

const COIN = { coin: 'BTC', balance: '1', equities: '1', locked: '0.1', crossProfitUnreal: '0.01' };
const INVERSE_HELD = { symbolId: 'BTC-USD-M', quantity: '20000', entryValue: '0.21', margin: '0.01' };
const inAccount = (changes: { position?: object; asset?: object; order?: object }): OrderContext => {
  const positions = [{}, INVERSE_HELD].map((one) => position({ ...one, ...changes.position }));
  const assets = [{}, COIN].map((one) => asset({ ...one, ...changes.asset }));
  const openOrders = [{ reduceOnly: false }, { orderId: '5', side: 'BUY' }].map((one) =>
    openOrder({ ...one, ...changes.order }),
  );
  return context({ account: account(positions, assets), openOrders, limits: LIMITS });
};

describe('estimates and checks throw for no figure of', () => {
  it.each(cases(positionFields))('a position: $title', ({ change }) => {
    for (const marginMode of ['CROSSED', 'ISOLATED'])
      expect(() => use(inAccount({ position: { marginMode, ...change } }))).not.toThrow();
  });
  it.each(cases(assetFields))('a coin: $title', ({ change }) => {
    expect(() => use(inAccount({ asset: change }))).not.toThrow();
  });
  it.each(cases(openOrderFields))('an open order: $title', ({ change }) => {
    expect(() => use(inAccount({ order: change }))).not.toThrow();
  });
});
