/**
 * Translates ids and names to and from the spelling of the exchange's habits. The engine has one spelling; a
 * client's text in any other spelling matches nothing.
 */
import { createHash } from 'node:crypto';
import type { Habits } from '../habits.ts';
import { ORDER_BASE, POSITION_BASE } from '../engine/orders.ts';

/** A name no contract, coin, trigger or order of the engine has. */
const UNKNOWN = '?';

const TRIGGERS: Readonly<Record<Habits['trigger-names'], readonly [last: string, mark: string]>> = {
  'last-mark': ['LAST_PRICE', 'MARK_PRICE'],
  'market-fair': ['MARKET_PRICE', 'FAIR_PRICE'],
  lower: ['last', 'mark'],
};
const ENGINE_TRIGGERS = TRIGGERS['last-mark'];

/** Names of the two trigger types: by last price, by mark price. */
const triggerNames = (habits: Habits): readonly string[] => TRIGGERS[habits['trigger-names']];

/** The connection settings that fit this exchange. */
export const settingsFor = (habits: Habits) => ({
  triggerTypes: triggerNames(habits),
  convention: habits.tiers,
});

type Spelling = Habits['coin-names'];
const SPELLINGS: Readonly<Record<Spelling, (name: string) => string>> = {
  upper: (name) => name,
  lower: (name) => name.toLowerCase(),
  underscore: (name) => `${name}_1`,
  'beyond-ascii': (name) => `${name}币`,
};

/** `BTC-USDT-M`: only the base is changed, so that the shape stays. */
function contractName(symbolId: string, spelling: Spelling): string {
  const [base = '', quote = ''] = symbolId.split('-');
  return `${SPELLINGS[spelling](base)}-${spelling === 'lower' ? quote.toLowerCase() : quote}-M`;
}

/** The offset added to the engine's ids. */
const SHIFTS: Readonly<Record<Habits['order-ids'], (base: bigint) => bigint>> = {
  signed: () => 0n,
  unsigned: (base) => 2n ** 64n - 2n ** 40n - base,
  small: (base) => -base,
};

/** A UUID that reveals nothing of the id; the same id always gives the same one. */
function uuidOf(id: string): string {
  const hex = createHash('sha256').update(id).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const ID_FORMS: Readonly<Record<Habits['trade-ids'], (id: string) => string>> = {
  digits: (id) => id,
  uuid: uuidOf,
  'any-text': (id) => `=№ ${id.slice(-9)}, “ß”;"'/±`,
};

export class Names {
  /** The engine's contracts. */
  readonly symbols: readonly string[];
  private readonly habits: Habits;
  private readonly bySymbol = new Map<string, string>();
  private readonly byPair = new Map<string, string>();

  constructor(habits: Habits, symbols: readonly string[]) {
    this.habits = habits;
    this.symbols = symbols;
    for (const symbol of symbols) {
      this.bySymbol.set(this.contract(symbol), symbol);
      this.byPair.set(this.tradeSymbol(symbol), symbol);
    }
  }

  contract(symbol: string): string {
    return contractName(symbol, this.habits['contract-names']);
  }

  /** The symbol as trades spell it. */
  tradeSymbol(symbol: string): string {
    const name = this.contract(symbol);
    return this.habits['trade-symbols'] === 'pair' ? name.slice(0, -'-M'.length).replace('-', '') : name;
  }

  coin(name: string): string {
    return SPELLINGS[this.habits['coin-names']](name);
  }

  orderId(id: string): string {
    return (BigInt(id) + SHIFTS[this.habits['order-ids']](ORDER_BASE)).toString();
  }

  /** `0`: no position. */
  positionId(id: string): string {
    return id === '0' ? id : (BigInt(id) + SHIFTS[this.habits['order-ids']](POSITION_BASE)).toString();
  }

  tradeId(id: string): string {
    return ID_FORMS[this.habits['trade-ids']](id);
  }

  /** '': an order without a condition has none. */
  otherId(id: string): string {
    return id === '' ? id : ID_FORMS[this.habits['other-ids']](id);
  }

  trigger(type: string): string {
    const at = ENGINE_TRIGGERS.indexOf(type);
    return triggerNames(this.habits)[at] ?? type;
  }

  liquidity(word: string): string {
    return word === 'MAKER' ? this.habits.liquidity : word;
  }

  /** Returns the engine's name, or one that it does not have and that says so in a rejection. */
  contractIn(name: string): string {
    return this.bySymbol.get(name) ?? `no contract ${name}`;
  }

  tradeSymbolIn(name: string): string {
    return this.byPair.get(name) ?? UNKNOWN;
  }

  orderIdIn(id: string): string {
    return (BigInt(id) - SHIFTS[this.habits['order-ids']](ORDER_BASE)).toString();
  }

  triggerIn(name: string): string {
    if (name === 'NONE') return name;
    return ENGINE_TRIGGERS[triggerNames(this.habits).indexOf(name)] ?? UNKNOWN;
  }

  liquidityIn(word: string): string {
    if (word === this.habits.liquidity) return 'MAKER';
    return word === 'TAKER' ? word : UNKNOWN;
  }
}
