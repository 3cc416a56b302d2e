/** Nets positions in the same contract, by its id, over the accounts that hold it. */
import {
  absolute,
  add,
  amount,
  type Amount,
  calculated,
  isNegative,
  isPositive,
  multiply,
  negate,
  print,
  sum,
  ZERO,
} from '../../amount.ts';
import type { Position } from '../../exchange-api/account.ts';
import type { SymbolConfig } from '../../exchange-api/symbol-config.ts';
import { type CoinAmount, coinsOf, sideOf } from '../instrument/currencies.ts';
import { multiplierOf } from '../instrument/multiplier.ts';
import type { MultiplierOf } from '../instrument/specs.ts';
import { isHeld } from '../../exchange-api/values.ts';
import { markOf } from '../position/metrics.ts';
import type { PortfolioAccount } from './sums.ts';

export interface SharedContract {
  readonly symbolId: string;
  /** Quantity per account, in order: shorts below 0, both legs added. `'0'` without a position, null if unknown. */
  readonly parts: readonly (string | null)[];
  readonly net: string;
  /** Sum of the quantities of all legs, regardless of side. */
  readonly gross: string;
  readonly sides: 'same' | 'opposite';
  /** Whether every account was read, and every quantity. */
  readonly complete: boolean;
  /** Net at a mark, in the quote coin, a short below 0; null without a mark or an unknown contract. */
  readonly value: CoinAmount | null;
}

/** Returns the contracts that at least two accounts hold, by id. `ownOf`: the user's multipliers on an account. */
export function sharedContracts(
  accounts: readonly PortfolioAccount[],
  configOf: (symbolId: string) => SymbolConfig | undefined,
  ownOf: (account: PortfolioAccount) => MultiplierOf,
): SharedContract[] {
  const held = accounts.map(({ account }) =>
    account === null ? null : Map.groupBy(account.positions.filter(isHeld), (one) => one.symbolId),
  );
  const symbols = new Set(held.flatMap((one) => (one === null ? [] : [...one.keys()])));
  return [...symbols]
    .sort()
    .filter((symbolId) => held.filter((one) => one?.has(symbolId)).length > 1)
    .map((symbolId) => {
      const positions = held.map((one) => (one === null ? null : (one.get(symbolId) ?? [])));
      const parts = positions.map((legs) => (legs === null ? null : signedSum(legs)));
      const legs = positions.flatMap((one) => one ?? []).map(signed);
      const known = legs.filter((one) => one !== null);
      const net = sum(known);
      return {
        symbolId,
        parts: parts.map((part) => (part === null ? null : print(part))),
        net: print(net),
        gross: print(sum(known.map(absolute))),
        sides: known.some(isPositive) && known.some(isNegative) ? 'opposite' : 'same',
        complete:
          parts.every((part) => part !== null) && !accounts.some((one) => lacksPosition(one, symbolId)),
        value: valueOf(
          accounts.map((one, at) => ({ legs: positions[at] ?? [], own: ownOf(one)(symbolId) ?? null })),
          configOf(symbolId),
        ),
      };
    });
}

/** Whether a position cannot be read that may be of this contract. */
const lacksPosition = ({ unreadable = [] }: PortfolioAccount, symbolId: string): boolean =>
  unreadable.some((one) => one.record === 'position' && [symbolId, null].includes(one.symbolId));

/** Returns a position's quantity, shorts below 0; null if it or its side is unknown. */
function signed({ side, quantity }: Position): Amount | null {
  if (quantity === null || (side !== 'BUY' && side !== 'SELL')) return null;
  return side === 'BUY' ? amount(quantity) : negate(amount(quantity));
}

function signedSum(legs: readonly Position[]): Amount | null {
  let total = ZERO;
  for (const leg of legs) {
    const one = signed(leg);
    if (one === null) return null;
    total = add(total, one);
  }
  return total;
}

/** What an account holds of one contract, and the user's multiplier there. */
interface Holding {
  readonly legs: readonly Position[];
  readonly own: string | null;
}

/** Each account's multiplier applies to its own legs; where none is known, that of another account. */
function valueOf(holdings: readonly Holding[], config: SymbolConfig | undefined): SharedContract['value'] {
  const side = config && sideOf(config);
  if (config === undefined || !side) return null;
  const multipliers = holdings.map(({ legs, own }) => own ?? multiplierOf(side, legs));
  const known = multipliers.find((one) => one !== null) ?? '1';
  const units = holdings.map(({ legs }, at) =>
    multiply(sum(legs.map(signed).filter((one) => one !== null)), calculated(multipliers[at] ?? known)),
  );
  const net = sum(units);
  const { quote: coin } = coinsOf(config);
  if (side === 'REVERSE') return { amount: print(net), coin };
  const mark = holdings.flatMap(({ legs }) => legs.map(markOf)).find((one) => one !== null);
  return mark === undefined ? null : { amount: print(multiply(net, amount(mark))), coin };
}
