/**
 * The account's part of a checkpoint. Its past is regenerated from the seed; stored are later changes and the
 * past's orders that were still resting.
 */
import type { Contract } from './contracts.ts';
import { ACCOUNT } from './ledger.ts';
import type { Order, Trade, Trigger } from './orders.ts';
import { marketOf, orderOf } from './world.ts';
import type { Account, Position, World } from './world.ts';

/** How much of the account comes from its past: the same for every exchange of a seed. */
export interface Past {
  readonly orders: number;
  readonly trades: number;
  /** Sequence numbers. */
  readonly open: readonly number[];
}

/** `T` with its contract as an index into the table. */
type Flat<T> = Omit<T, 'contract'> & { readonly contract: number };

const ACCOUNT_FIELDS = ['positionMode', 'barred', 'nextPosition', 'nextTrigger'] as const;

export interface SavedAccount extends Readonly<Pick<Account, (typeof ACCOUNT_FIELDS)[number]>> {
  readonly settings: readonly [string, { leverage: number; marginMode: Position['marginMode'] }][];
  readonly positions: readonly Flat<Position>[];
  readonly orders: readonly Flat<Omit<Order, 'resting'>>[];
  /** Sequence numbers of resting orders, in the order of the account's list. */
  readonly open: readonly number[];
  readonly trades: readonly Flat<Trade>[];
  readonly trial: readonly [string, { left: bigint; granted: bigint }][];
  readonly triggers: readonly (Omit<Flat<Trigger>, 'order'> & { readonly order: number })[];
}

/** Returns the fields of these names. */
export const picked = <T, K extends keyof T>(row: T, names: readonly K[]): Pick<T, K> =>
  Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<T, K>;

const flat = <T extends { readonly contract: Contract }>(row: T): Flat<T> => ({
  ...row,
  contract: row.contract.ordinal,
});

export const pastOf = ({ orders, trades, open }: Account): Past => ({
  orders: orders.length,
  trades: trades.length,
  open: [...open.keys()],
});

export function saveAccount(world: World, past: Past): SavedAccount {
  const { account } = world;
  const seqs = [...past.open];
  for (let seq = past.orders + 1; seq <= account.orders.length; seq += 1) seqs.push(seq);
  return {
    ...picked(account, ACCOUNT_FIELDS),
    settings: [...account.settings],
    positions: account.positions.map(flat),
    orders: seqs.map((seq) => {
      const { resting: _, ...order } = orderOf(world, seq);
      return flat(order);
    }),
    open: [...account.open.keys()],
    trades: account.trades.since(past.trades).map(flat),
    trial: [...account.trial],
    triggers: account.triggers.map((trigger) => ({ ...flat(trigger), order: trigger.order.seq })),
  };
}

function contractOf(world: World, ordinal: number): Contract {
  const contract = world.markets[ordinal]?.contract;
  if (!contract) throw new Error(`no contract ${ordinal}`);
  return contract;
}

/** Restores the account. Requires a newly made past. `restoreWorld` puts resting orders back into the books. */
export function restoreAccount(world: World, past: Past, saved: SavedAccount): void {
  const { account } = world;
  const whole = <T extends { readonly contract: number }>(row: T) => ({
    ...row,
    contract: contractOf(world, row.contract),
  });
  account.open.clear();
  for (const row of saved.orders) {
    const order: Order = { ...whole(row), resting: null };
    if (order.seq <= past.orders) account.orders.replace(order.seq - 1, order);
    else account.orders.push(order);
  }
  for (const seq of saved.open) account.open.set(seq, orderOf(world, seq));
  for (const row of saved.trades) account.trades.push(whole(row));
  Object.assign(account, picked(saved, ACCOUNT_FIELDS));
  account.positions = saved.positions.map(whole);
  refill(account.settings, saved.settings);
  refill(account.trial, saved.trial);
  // The two legs of one order are linked by it, so both must share the same object.
  const byOrder = new Map<number, Order>();
  account.triggers = saved.triggers.map((row) => {
    const order = byOrder.get(row.order) ?? orderOf(world, row.order);
    byOrder.set(row.order, order);
    return { ...whole(row), order };
  });
}

function refill<V>(map: Map<string, V>, entries: readonly (readonly [string, V])[]): void {
  map.clear();
  for (const [key, value] of entries) map.set(key, value);
}

/** Puts a resting order back at its place in the book. */
export function restAgain(world: World, seq: number, lots: number): void {
  const order = orderOf(world, seq);
  const { book } = marketOf(world, order.contract);
  order.resting = book.rest(ACCOUNT, order.side, order.ticks, lots, seq);
}
