/**
 * Rewrites the engine's replies by the exchange's habits, JSON text to JSON text. With the default habits replies
 * pass unchanged.
 */
import { parseUnits, printTrimmed } from '../engine/atoms.ts';
import { type Habits, DEFAULT_HABITS } from '../habits.ts';
import { figure, longFigure, numberFigure, timesHundred } from './figures.ts';
import { JsonNumber, readJson, type Json, type JsonObject } from './json.ts';
import type { Names } from './names.ts';
import * as fields from './record-fields.ts';
import type { FieldKinds, Kind } from './record-fields.ts';
import type { OrderSide } from '../../src-shared/exchange-api/enums.ts';

/** The API's lists by the endpoint that serves them; `tradeList` is the controls' own. */
const TABLES = {
  account: fields.ACCOUNT,
  openOrder: fields.OPEN_ORDER,
  orderHis: fields.HISTORY_ORDER,
  symbolConfig: fields.CONTRACT,
  trades: fields.TRADE_PAGE,
  tradeList: fields.TRADE,
} as const;

/** Habits that change how a reply is written. */
const WRITTEN = [
  'decimals',
  'text-fields',
  'integers',
  'no-figure',
  'ratios',
  'profit',
  'sold-sizes',
  'order-ids',
  'trade-ids',
  'other-ids',
  'coin-names',
  'lock-asset',
  'contract-names',
  'trade-symbols',
  'trigger-names',
  'liquidity',
  'cancel-reasons',
  'listed-positions',
  'extra-fields',
  'row-order',
] as const;

/** The method of `Names` that spells the texts of a kind; the others stay. */
type Spelled = {
  [M in keyof Names]: Names[M] extends (text: string) => string ? M : never;
}[keyof Names];
const SPELLED: Readonly<Partial<Record<Kind, Spelled>>> = {
  'order-id': 'orderId',
  'position-id': 'positionId',
  'trade-id': 'tradeId',
  'other-id': 'otherId',
  contract: 'contract',
  'trade-symbol': 'tradeSymbol',
  coin: 'coin',
  trigger: 'trigger',
  liquidity: 'liquidity',
};

const EXTRA = '"addedLater":"β","addedRecord":{"note":null,"count":1}';
/** Digits of the coin added for long figures. */
const LONG_COIN: Readonly<Partial<Record<Habits['decimals'], number>>> = { long: 40, longest: 60 };
const DECIMAL = /^-?\d+(?:\.\d+)?$/;
const DIGITS = /^\d+$/;

export class Presenter {
  private readonly habits: Habits;
  private readonly names: Names;
  private readonly untouched: boolean;
  private replies = 0;

  constructor(habits: Habits, names: Names) {
    this.habits = habits;
    this.names = names;
    this.untouched = WRITTEN.every((name) => habits[name] === DEFAULT_HABITS[name]);
  }

  /** `text` is the engine's JSON of `data`. */
  data(list: keyof typeof TABLES, text: string): string {
    if (this.untouched) return text;
    const value = readJson(text);
    this.replies++;
    if (list === 'account' && value instanceof Map) {
      this.addCoin(value);
      this.addFlatPositions(value);
      for (const name of ['assets', 'positions']) value.set(name, this.ordered(value.get(name) ?? null));
    }
    if (list === 'symbolConfig') return this.nested(TABLES[list], this.ordered(value));
    return this.nested(TABLES[list], value);
  }

  /** Data of a placed order: the API specifies text. */
  placed(id: string): string {
    return JSON.stringify(this.names.orderId(id));
  }

  /** The rows of a list, by the habit in another order in each reply. */
  private ordered(rows: Json): Json {
    if (this.habits['row-order'] === 'same' || !Array.isArray(rows)) return rows;
    const first = this.replies % Math.max(1, rows.length);
    return [...rows.slice(first), ...rows.slice(0, first)].reverse();
  }

  private nested(kinds: FieldKinds, value: Json): string {
    if (Array.isArray(value)) return `[${value.map((each) => this.nested(kinds, each)).join(',')}]`;
    if (!(value instanceof Map)) throw new TypeError('a record is a JSON object');
    const written = [...value].map(([name, each]) => {
      return `${JSON.stringify(name)}:${this.field(value, name, each, kinds[name] ?? 'text')}`;
    });
    if (this.habits['extra-fields'] === 'some') written.push(EXTRA);
    return `{${written.join(',')}}`;
  }

  private field(record: JsonObject, name: string, value: Json, kind: Kind | FieldKinds): string {
    if (name === 'lockAssetId' && this.habits['lock-asset'] === 'empty') return '""';
    const absent = fields.isAbsent(record, name, value) ? this.absent(name) : null;
    if (absent !== null) return absent;
    if (typeof kind !== 'string') return value === null ? 'null' : this.nested(kind, value);
    if (value instanceof JsonNumber) return this.number(record, name, value.literal, kind);
    if (typeof value !== 'string') return JSON.stringify(value);
    if (kind === 'decimal' || kind === 'quotient' || kind === 'ratio')
      return this.decimal(this.value(record, name, value, kind), kind !== 'decimal');
    return this.text(value, kind);
  }

  /** What a field without meaning holds; null for the engine's own value. */
  private absent(name: string): string | null {
    const isId = name === 'conditionOrderId';
    switch (this.habits['no-figure']) {
      case 'mixed':
        return null;
      case 'empty':
        return '""';
      case 'null':
        // The API says: "Empty string when not a conditional order".
        return isId ? '""' : 'null';
      case 'zero':
        // Only a figure can be 0, and a price of 0 would be wrong.
        if (isId) return '"0"';
        return /Type$|^tpSl$|^lastPrice$/.test(name) ? null : this.decimal('0', false);
    }
  }

  private value(record: JsonObject, name: string, text: string, kind: Kind): string {
    if (kind === 'ratio' && this.habits.ratios === '100') return timesHundred(text);
    if (name === 'profit' && this.habits.profit === 'after-fees') return afterFee(record, text);
    const isSold = fields.SIZES.has(name) && record.get('side') === 'SELL' && /[1-9]/.test(text);
    return isSold && this.habits['sold-sizes'] === 'minus' ? `-${text}` : text;
  }

  private decimal(text: string, quotient: boolean): string {
    const printed = figure(this.habits, text, quotient);
    return this.habits['text-fields'] === 'text' || !DECIMAL.test(text) ? JSON.stringify(printed) : printed;
  }

  private number(record: JsonObject, name: string, literal: string, kind: Kind): string {
    if (kind === 'number') return numberFigure(this.habits, literal);
    const number = name === 'cancelReason' ? this.cancelReason(record, literal) : literal;
    return this.habits.integers === 'text' ? JSON.stringify(number) : number;
  }

  private cancelReason(record: JsonObject, literal: string): string {
    if (this.habits['cancel-reasons'] === 'listed') return literal;
    if (literal === '0') return '-1';
    return literal === '2' && record.get('timeInForce') !== 'GTC' ? '3' : literal;
  }

  private text(value: string, kind: Kind): string {
    const spelling = SPELLED[kind];
    const written = spelling === undefined ? value : this.names[spelling](value);
    const isId = kind.endsWith('-id') && DIGITS.test(written);
    return isId && this.habits['text-fields'] === 'numbers' ? written : JSON.stringify(written);
  }

  /** Adds a coin without trades, with as many integer digits as the habit says. */
  private addCoin(account: JsonObject): void {
    const digits = LONG_COIN[this.habits.decimals];
    const assets = account.get('assets');
    if (digits === undefined || !Array.isArray(assets)) return;
    const held = ['available', 'balance', 'canTransfer', 'equities'];
    const empty = Object.keys(fields.ASSET).map((name) => [name, '0'] as const);
    const amounts = held.map((name) => [name, longFigure(digits)] as const);
    assets.push(new Map<string, Json>([...empty, ...amounts, ['coin', 'LONG']]));
  }

  /** Lists a position of quantity 0 for each contract, in hedge mode for each side, that is not held. */
  private addFlatPositions(account: JsonObject): void {
    const held = account.get('positions');
    if (this.habits['listed-positions'] === 'held' || !Array.isArray(held)) return;
    const isHedge = this.habits.positions === 'hedge';
    const isHeld = (symbolId: string, side: string): boolean =>
      held.some(
        (one) =>
          one instanceof Map && one.get('symbolId') === symbolId && (!isHedge || one.get('side') === side),
      );
    const flat = this.names.symbols.flatMap((symbolId) =>
      (isHedge ? (['BUY', 'SELL'] as const) : (['BUY'] as const))
        .filter((side) => !isHeld(symbolId, side))
        .map((side) => flatPosition(symbolId, side, isHedge ? 'HEDGE' : 'ONEWAY')),
    );
    account.set('positions', [...flat, ...held]);
  }
}

const ZERO = new JsonNumber('0');
/** The type of a field without a value of its own. */
const zeroOf = (kind: Kind | FieldKinds): Json =>
  typeof kind !== 'string' ? [] : kind === 'integer' ? ZERO : kind === 'text' ? null : '0';

function flatPosition(symbolId: string, side: OrderSide, positionMode: 'HEDGE' | 'ONEWAY'): JsonObject {
  const [base = '', quote = ''] = symbolId.replace(/\d+/, '').split('-');
  return new Map<string, Json>([
    ...Object.entries(fields.POSITION).map(([name, kind]) => [name, zeroOf(kind)] as const),
    ...Object.entries({
      symbolId,
      side,
      positionMode,
      marginMode: 'CROSSED',
      lastPrice: null,
      markPrice: null,
    }),
    ['leverage', new JsonNumber('20')],
    ['feeAssetId', quote === 'USD' ? base : quote],
  ]);
}

/** The profit minus the fee of an order that closed something; an order that only opened keeps it. */
function afterFee(record: JsonObject, profit: string): string {
  const reduces = record.get('reduceOnly');
  const isReduceOnly = reduces === true || (reduces instanceof JsonNumber && reduces.literal === '1');
  const gross = parseUnits(profit, 8) ?? 0n;
  if (gross === 0n && !isReduceOnly) return profit;
  return printTrimmed(gross - (parseUnits(fields.textOf(record, 'feeAmount'), 8) ?? 0n), 8);
}
