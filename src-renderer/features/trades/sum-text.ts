/** Texts and figures of trade totals. */
import { add, calculated, print } from '../../../src-shared/amount.ts';
import type { SumGroup, TradeSums, TripCount } from '../../../src-shared/ipc/trade-groups.ts';
import { columnScale, counted, countText, plainPercent } from '../../text/number-text.ts';
import { ratioOf } from '../../../src-shared/domain/numeric/quotient.ts';

function partText(part: number, whole: number): string {
  const share = ratioOf(calculated(String(part)), calculated(String(whole)), 4);
  return share === null ? '—' : plainPercent(share);
}

/** Returns the maker share in percent: the trades the exchange marks MAKER, of all trades. */
export const makerText = ({ makers, trades }: Pick<TradeSums, 'makers' | 'trades'>): string =>
  partText(makers, trades);

/** Returns the share of winners among the round trips that won or lost, in percent. */
export const winText = ({ wins, losses }: TripCount): string => partText(wins, wins + losses);

/** Returns the volume by its own coin, in the order of the totals: contracts of several margin coins can share one. */
export function volumeByQuote(
  totals: readonly Pick<TradeSums, 'quote' | 'volume'>[],
): readonly Pick<TradeSums, 'quote' | 'volume'>[] {
  const sums = new Map<string | null, string>();
  for (const { quote, volume } of totals) {
    const before = sums.get(quote);
    sums.set(quote, before === undefined ? volume : print(add(calculated(before), calculated(volume))));
  }
  return [...sums].map(([quote, volume]) => ({ quote, volume }));
}

/** Returns how many trades, orders and round trips are not in the sums though they belong there. */
export const leftOutCount = ({ leftOut: { trades, orders }, trips }: TradeSums): number =>
  trades + orders + (trips?.unknown ?? 0);

/** Explains what is not in the sums; undefined if nothing is. */
export function leftOutTitle({ leftOut: { trades, orders }, trips }: TradeSums): string | undefined {
  const lines = [
    ...(trades > 0 ? [`A quantity or fee of ${counted(trades, 'trade')}`] : []),
    ...(orders > 0 ? [`The closed PnL of ${counted(orders, 'order')}`] : []),
  ];
  const unknown = trips?.unknown ?? 0;
  if (unknown > 0)
    return `The closed PnL of ${counted(unknown, 'round trip')} is not known, or a figure cannot be read: not in these sums.`;
  if (lines.length === 0) return undefined;
  return lines.map((line) => `${line} is missing or cannot be read: not in the sums.`).join(' ');
}

export const UNKNOWN_TEXT: Readonly<Record<NonNullable<TradeSums['unknown']>, string>> = {
  filter: 'unknown with this filter',
  unit: 'coin not known',
  orders: 'order history incomplete',
};

/** Explains why closed PnL is unknown or not final; undefined if it is neither. */
export function pnlTitle({ unknown, uncovered, trades, open, coin }: TradeSums): string | undefined {
  switch (unknown) {
    case 'filter':
      return 'Unknown with this filter: it splits the fills of an order or the orders of a position, and PnL is reported per order.';
    case 'unit':
      return coin === null
        ? 'Unknown: the symbol matches no contract, so its coin is unknown.'
        : 'Unknown: the orders report a different coin than their contract.';
    case 'orders':
      return `Unknown: the order history of ${countText(uncovered)} of ${counted(trades, 'trade')} is not archived.`;
    case null:
      return open === 0
        ? undefined
        : `Not final: ${open === 1 ? 'one order' : `${countText(open)} orders`} can still change.`;
  }
}

/** Adds which fees in other coins the net figure leaves out. */
export function netTitle(sums: TradeSums): string | undefined {
  const others = sums.fees.filter(({ asset }) => asset !== sums.coin).map(({ asset }) => asset);
  return pnlTitle(sums) ?? (others.length > 0 ? `Without fees in ${others.join(', ')}` : undefined);
}

export const FUNDING_TITLE = 'Not available: trades and orders do not include funding.';

/** Returns the decimals to pad figures to, by coin. */
export function scalesOf(list: readonly TradeSums[]) {
  const scales = (
    textsOf: (sums: TradeSums) => readonly (readonly [unit: string, text: string | null])[],
  ) => {
    const texts = Map.groupBy(list.flatMap(textsOf), ([unit]) => unit);
    return new Map([...texts].map(([unit, some]) => [unit, columnScale(some.map(([, text]) => text))]));
  };
  return {
    volume: scales(({ quote, volume }) => [[quote ?? '', volume]]),
    pnl: scales(({ coin, pnl }) => [[coin ?? '', pnl]]),
    fees: scales(({ fees }) => fees.map(({ asset, amount }) => [asset, amount] as const)),
    net: scales(({ coin, net }) => [[coin ?? '', net]]),
  };
}

/** `USDT · 7 contracts`. */
export const totalText = ({ coin, symbols }: TradeSums): string =>
  `${coin ?? 'No unit'} · ${counted(symbols.length, 'contract')}`;

export const KIND_HEADS: Readonly<Record<SumGroup['kind'], string>> = {
  contract: 'Contract',
  day: 'Day',
  month: 'Month',
  tag: 'Tag',
};
