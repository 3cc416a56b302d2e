/** What the controls show: the internal state, and the account's whole trade list. */
import { assetOf, availableOf, coinsOf, unrealizedOf } from '../engine/assets.ts';
import { BOTS } from '../engine/ledger.ts';
import { printMoney, printRate } from '../engine/atoms.ts';
import { printLots, printPrice } from '../engine/contracts.ts';
import { fundingRate } from '../engine/funding.ts';
import { orderHistoryRecord, tradeRecord } from '../engine/order-records.ts';
import { orderId, remainingLots } from '../engine/orders.ts';
import { settingOf } from '../engine/world.ts';
import type { Market, World } from '../engine/world.ts';
import { HABIT_NAMES, HABITS } from '../habits.ts';
import type { Habit } from '../habits.ts';
import type { Controlled } from './control-changes.ts';
import { settingsFor } from './names.ts';

function contractView(world: World, market: Market) {
  const { contract, book } = market;
  const best = (side: 1 | -1): string | null => {
    const ticks = book.best(side);
    return ticks === null ? null : printPrice(contract, ticks);
  };
  return {
    symbolId: contract.symbolId,
    open: market.trading,
    expiry: contract.expiry,
    last: printPrice(contract, market.last),
    mark: printPrice(contract, market.mark),
    index: printPrice(contract, market.index),
    bid: best(1),
    ask: best(-1),
    tick: contract.tick,
    lot: contract.lot,
    minQuantity: printLots(contract, contract.minLots),
    maxQuantity: printLots(contract, contract.maxLots),
    fundingRate: printRate(fundingRate(market)),
    ...settingOf(world, contract),
  };
}

/** Every owner's balance per coin, for checking conservation of money from outside. */
function ledgerView(world: World) {
  const { ledger } = world;
  return ledger.coinNames().map((coin) => ({
    coin,
    account: printMoney(ledger.balance(0, coin)),
    makers: printMoney(ledger.balance(BOTS[0], coin)),
    noise: printMoney(ledger.balance(BOTS[1], coin)),
    exchange: printMoney(ledger.balance(BOTS[2], coin)),
    paidIn: printMoney(ledger.paidIn(coin)),
  }));
}

/** Maximum number of orders shown, one page; more can be read through the API. */
const MAX_ORDERS = 100;

function restingView({ account }: World) {
  return [...account.open.values()]
    .slice(-MAX_ORDERS)
    .map((order) => ({
      orderId: orderId(order.seq),
      symbolId: order.contract.symbolId,
      side: order.side === 1 ? 'BUY' : 'SELL',
      price: printPrice(order.contract, order.ticks),
      quantity: printLots(order.contract, remainingLots(order)),
      reduceOnly: order.reduceOnly,
    }))
    .reverse();
}

/** The account's money, per coin. */
function balancesView(world: World) {
  return coinsOf(world).map((coin) => {
    const asset = assetOf(world, coin);
    return {
      coin,
      balance: printMoney(asset.balance),
      equities: printMoney(asset.balance + unrealizedOf(asset)),
      available: printMoney(availableOf(asset)),
      trialFundBalance: printMoney(asset.trialLeft),
    };
  });
}

export function stateText({ exchange, world }: Controlled): string {
  const { clock, faults, received, served } = exchange;
  const { engine, habits } = served;
  engine.catchUp('all');
  const { account } = engine.world;
  return JSON.stringify({
    clock: { now: engine.now, speed: clock.speed },
    seed: world.seed,
    exchangeId: world.id,
    habits,
    settings: settingsFor(habits),
    account: {
      uid: account.uid,
      positionMode: account.positionMode,
      barred: account.barred,
      trades: account.trades.length,
      orders: account.orders.length,
      openOrders: account.open.size,
      positions: account.positions.length,
    },
    contracts: engine.world.markets.map((market) => contractView(engine.world, market)),
    balances: balancesView(engine.world),
    resting: restingView(engine.world),
    ledger: ledgerView(engine.world),
    received,
    faults: faults.list(),
  });
}

/** All trades as API records, oldest first: an export is compared with them. */
export const tradesText = ({ exchange: { served } }: Controlled): string =>
  served.presenter.data('tradeList', JSON.stringify(served.engine.world.account.trades.map(tradeRecord)));

/** All orders as API records, oldest first. */
export function ordersText({ exchange: { served } }: Controlled): string {
  const { world } = served.engine;
  const records = world.account.orders.map((order) => orderHistoryRecord(world, order));
  return served.presenter.data('orderHis', JSON.stringify(records));
}

/** The table of habits, with their values here. */
export const habitsText = ({ exchange: { served } }: Controlled): string =>
  JSON.stringify(
    HABIT_NAMES.map((name) => {
      const { values, ...habit }: Habit = HABITS[name];
      const all = Object.entries(values).map(([value, meaning]) => ({ value, meaning }));
      return { name, ...habit, values: all, value: served.habits[name] };
    }),
  );
