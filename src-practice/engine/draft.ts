/** First half of acceptance: puts a request on the contract's grid. The order of the lines is the order of checks. */
import type { Side } from './book.ts';
import { parseLots, parseTicks } from './contracts.ts';
import { CANCEL_NONE, SOURCE_REVERSE, SOURCE_USER, type Order } from './orders.ts';
import { accept, reject, type Checked, type OrderRequest } from './request.ts';
import { targetOf } from './settle.ts';
import { settingOf, type Market, type Position, type World } from './world.ts';
import type { OrderType, TimeInForce } from '../../src-shared/exchange-api/enums.ts';

export interface Draft {
  readonly market: Market;
  readonly order: Order;
}

const SIDES: Readonly<Record<string, Side>> = { BUY: 1, SELL: -1 };
const isType = (text: string): text is OrderType => text === 'LIMIT' || text === 'MARKET';
const isTimeInForce = (text: string): text is TimeInForce =>
  text === 'GTC' || text === 'IOC' || text === 'FOK';

/** MARKET never rests: without a time in force, or with GTC, it is IOC. */
function timeInForceOf(request: OrderRequest): TimeInForce | null {
  const given = request.timeInForce ?? (request.type === 'MARKET' ? 'IOC' : 'GTC');
  if (!isTimeInForce(given)) return null;
  return request.type === 'MARKET' && given === 'GTC' ? 'IOC' : given;
}

function flagFault(request: OrderRequest, timeInForce: TimeInForce): string | null {
  if (request.postOnly && (request.type !== 'LIMIT' || timeInForce !== 'GTC'))
    return 'postOnly needs LIMIT GTC';
  if (request.reverseOrder && request.type !== 'MARKET') return 'reverseOrder needs MARKET';
  if (request.reverseOrder && request.reduceOnly) return 'reverseOrder and reduceOnly exclude each other';
  if (request.reduceOnly && request.tpSl) return 'tpSl travels with opening orders only';
  return null;
}

export function draft(world: World, request: OrderRequest): Checked<Draft> {
  const side = SIDES[request.side];
  if (!side) return reject('700009', 'side');
  if (!isType(request.type)) return reject('700009', 'type');
  const timeInForce = timeInForceOf(request);
  if (!timeInForce) return reject('700009', 'timeInForce');
  const market = world.bySymbol.get(request.symbolId);
  if (!market) return reject('700041', request.symbolId);
  const { contract } = market;
  if (!market.trading) return reject('700041', contract.symbolId);
  const fault = flagFault(request, timeInForce);
  if (fault) return reject('700009', fault);
  const ticks = ticksOf(market, request);
  if (!ticks.ok) return ticks;
  const setting = settingOf(world, contract);
  const { positionMode } = world.account;
  const shape = { contract, side, positionMode, reduceOnly: request.reduceOnly };
  const lots = lotsOf(world, market, request, shape);
  if (!lots.ok) return lots;
  // Written out rather than spread from parts: every order passes here (bench/practice.ts).
  const order: Order = {
    contract,
    side,
    positionMode,
    reduceOnly: request.reduceOnly,
    leverage: setting.leverage,
    marginMode: setting.marginMode,
    seq: world.account.orders.length + 1,
    type: request.type,
    timeInForce,
    ticks: ticks.value,
    totalLots: lots.value,
    postOnly: request.postOnly,
    reverse: request.reverseOrder,
    source: request.reverseOrder ? SOURCE_REVERSE : SOURCE_USER,
    tpSl: request.tpSl,
    createdAt: world.now,
    changedAt: world.now,
    ...BLANK,
  };
  return accept({ market, order });
}

/** The initial values of every order. */
export const BLANK = {
  filledLots: 0,
  canceledLots: 0,
  filledProduct: 0n,
  locked: 0n,
  remainingLocked: 0n,
  remainingFee: 0n,
  fee: 0n,
  profit: 0n,
  closedMargin: 0n,
  positionSeq: 0,
  cancelReason: CANCEL_NONE,
  conditionSeq: 0,
  resting: null,
} as const;

/** What the exchange's own orders that close a position have in common. */
export const closingOrder = ({ account }: World, position: Position, at: number) => ({
  ...BLANK,
  seq: account.orders.length + 1,
  contract: position.contract,
  side: position.side === 1 ? (-1 as const) : (1 as const),
  reduceOnly: true,
  postOnly: false,
  reverse: false,
  leverage: position.leverage,
  marginMode: position.marginMode,
  positionMode: position.positionMode,
  tpSl: null,
  createdAt: at,
  changedAt: at,
});

function ticksOf(market: Market, request: OrderRequest): Checked<number> {
  if (request.type === 'MARKET') return accept(0); // a price sent along has no meaning and is ignored
  if (request.price === null) return reject('700004', 'price is required for LIMIT');
  const ticks = parseTicks(market.contract, request.price);
  return ticks === null
    ? reject('700011', `price is not a multiple of ${market.contract.tick}`)
    : accept(ticks);
}

function lotsOf(
  world: World,
  market: Market,
  request: OrderRequest,
  shape: Pick<Order, 'contract' | 'side' | 'positionMode' | 'reduceOnly'>,
): Checked<number> {
  const { contract } = market;
  if (request.quantity === null) {
    if (!request.reduceOnly) return reject('700004', 'quantity is required');
    const target = targetOf(world, shape);
    return target ? accept(target.lots) : reject('700001', contract.symbolId);
  }
  const lots = parseLots(contract, request.quantity);
  if (lots === null) return reject('700012', `quantity is not a multiple of ${contract.lot}`);
  if (lots < contract.minLots) return reject('700060', `minimum ${contract.minLots} lots of ${contract.lot}`);
  if (lots > contract.maxLots) return reject('700082', `maximum ${contract.maxLots} lots of ${contract.lot}`);
  return accept(lots);
}
