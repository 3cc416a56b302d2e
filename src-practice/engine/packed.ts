/** Packs orders and trades for log.ts. Enum values become bits of one number. */
import type { Contract } from './contracts.ts';
import type { Codec } from './log.ts';
import { remainingLots } from './orders.ts';
import type { Order, TpSl, Trade } from './orders.ts';

const contractAt = (contracts: readonly Contract[], ordinal: number | undefined): Contract => {
  const contract = contracts[ordinal ?? -1];
  if (!contract) throw new Error(`no contract ${ordinal}`);
  return contract;
};

const bit = (set: boolean, place: number): number => (set ? 1 << place : 0);
const TIMES = ['GTC', 'IOC', 'FOK'] as const;

const flagsOf = (order: Order): number =>
  bit(order.side === 1, 0) |
  bit(order.type === 'LIMIT', 1) |
  bit(order.reduceOnly, 2) |
  bit(order.postOnly, 3) |
  bit(order.reverse, 4) |
  bit(order.marginMode === 'CROSSED', 5) |
  bit(order.positionMode === 'HEDGE', 6) |
  (TIMES.indexOf(order.timeInForce) << 7);

export function orderCodec(contracts: readonly Contract[]): Codec<Order> {
  const tpSls = new Map<number, TpSl>();
  return {
    numbers: 13,
    bigs: 5,
    isFinal: (order) => remainingLots(order) === 0,
    pack(order) {
      if (order.tpSl) tpSls.set(order.seq, order.tpSl);
      return packOrder(order);
    },
    unpack: (index, numbers, bigs) => ({
      seq: index + 1,
      contract: contractAt(contracts, numbers[0]),
      ...ofFlags(numbers[1] ?? 0),
      ...ofNumbers(numbers),
      ...ofBigs(bigs),
      tpSl: tpSls.get(index + 1) ?? null,
      resting: null,
    }),
  };
}

const packOrder = (order: Order) => ({
  numbers: [
    order.contract.ordinal,
    flagsOf(order),
    order.source,
    order.leverage,
    order.ticks,
    order.totalLots,
    order.createdAt,
    order.changedAt,
    order.filledLots,
    order.canceledLots,
    order.positionSeq,
    order.cancelReason,
    order.conditionSeq,
  ],
  bigs: [order.filledProduct, order.locked, order.fee, order.profit, order.closedMargin],
});

function ofFlags(flags: number) {
  const has = (place: number): boolean => (flags & (1 << place)) !== 0;
  return {
    side: has(0) ? 1 : -1,
    type: has(1) ? 'LIMIT' : 'MARKET',
    reduceOnly: has(2),
    postOnly: has(3),
    reverse: has(4),
    marginMode: has(5) ? 'CROSSED' : 'ISOLATED',
    positionMode: has(6) ? 'HEDGE' : 'ONEWAY',
    timeInForce: TIMES[flags >> 7] ?? 'GTC',
  } as const;
}

const ofNumbers = (numbers: ArrayLike<number>) => ({
  source: numbers[2] ?? 0,
  leverage: numbers[3] ?? 0,
  ticks: numbers[4] ?? 0,
  totalLots: numbers[5] ?? 0,
  createdAt: numbers[6] ?? 0,
  changedAt: numbers[7] ?? 0,
  filledLots: numbers[8] ?? 0,
  canceledLots: numbers[9] ?? 0,
  positionSeq: numbers[10] ?? 0,
  cancelReason: numbers[11] ?? 0,
  conditionSeq: numbers[12] ?? 0,
});

/** Only final orders are packed: nothing of them is locked any more. */
const ofBigs = (bigs: ArrayLike<bigint>) => ({
  filledProduct: bigs[0] ?? 0n,
  locked: bigs[1] ?? 0n,
  fee: bigs[2] ?? 0n,
  profit: bigs[3] ?? 0n,
  closedMargin: bigs[4] ?? 0n,
  remainingLocked: 0n,
  remainingFee: 0n,
});

export const tradeCodec = (contracts: readonly Contract[]): Codec<Trade> => ({
  numbers: 6,
  bigs: 2,
  isFinal: () => true,
  pack: ({ contract, side, taker, closes, orderSeq, ticks, lots, time, value, fee }) => ({
    numbers: [
      contract.ordinal,
      bit(side === 1, 0) | bit(taker, 1) | bit(closes, 2),
      orderSeq,
      ticks,
      lots,
      time,
    ],
    bigs: [value, fee],
  }),
  unpack: (index, numbers, bigs) => {
    const flags = numbers[1] ?? 0;
    return {
      seq: index + 1,
      orderSeq: numbers[2] ?? 0,
      contract: contractAt(contracts, numbers[0]),
      side: (flags & 1) !== 0 ? 1 : -1,
      ticks: numbers[3] ?? 0,
      lots: numbers[4] ?? 0,
      value: bigs[0] ?? 0n,
      fee: bigs[1] ?? 0n,
      taker: (flags & 2) !== 0,
      closes: (flags & 4) !== 0,
      time: numbers[5] ?? 0,
    };
  },
});
