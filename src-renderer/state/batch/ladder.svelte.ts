import {
  closablePosition,
  contractOf,
  type KnownContract,
} from '../../../src-shared/domain/instrument/trading-context.ts';
import {
  type LadderResult,
  type LadderField,
  ladderOf,
  type LadderSizes,
  type LadderSpacing,
} from '../../../src-shared/domain/batch/ladder.ts';
import { amount, greater, less, sum } from '../../../src-shared/amount.ts';
import { readNumber } from '../../../src-shared/domain/numeric/number-input.ts';
import { cellsOf } from '../../../src-shared/domain/batch/row.ts';
import type { Position } from '../../../src-shared/exchange-api/account.ts';
import type { OrderSide, TimeInForce } from '../../../src-shared/exchange-api/enums.ts';
import type { TpSlRequest } from '../../../src-shared/exchange-api/order-request.ts';
import { usualTrigger } from '../../text/trigger-text.ts';
import type { DraftRow } from './rows.ts';
import { accountContextOf, type TradingContext, triggerTypesOf } from '../order/trading-context.ts';

/** Start of its rows' keys. */
const KEY = 'ladder ';

/** A larger remainder needs a decision, percent of the total; a smaller one is only shown. */
const ASKED_PERCENT = amount('5');

/** The fields for the triggers of every row. */
export type TriggerField = 'tp' | 'sl';
const TRIGGER_NAMES: Readonly<Record<TriggerField, string>> = { tp: 'Take profit', sl: 'Stop loss' };

/** The ladder as typed, and the rows it makes. */
export class BatchLadder {
  symbolId = $state('');
  side = $state<OrderSide>('BUY');
  count = $state('');
  from = $state('');
  to = $state('');
  total = $state('');
  spacing = $state<LadderSpacing>('even');
  sizes = $state<LadderSizes>('flat');
  ratio = $state('1.5');
  parts = $state('');
  timeInForce = $state<TimeInForce>('GTC');
  postOnly = $state(false);
  reduceOnly = $state(false);
  /** Every row gets the triggers below; an empty one is left out. They close at market. */
  tpSlOn = $state(false);
  tp = $state('');
  sl = $state('');
  #triggerType = $state('');
  /** The contract was taken from the ticket, and not chosen here. */
  isFromTicket = $state(false);
  /** What to do with the remainder; null: undecided. */
  remainder = $state<'leave' | 'last' | null>(null);
  /** Add was pressed while a field was missing: its fault is shown from then on. */
  pressed = $state(false);
  readonly #context: TradingContext;
  /** The fields that the rows in the draft were made from; null before there were any. */
  #usedFields = $state.raw<string | null>(null);

  constructor(context: TradingContext) {
    this.#context = context;
  }

  readonly contract: KnownContract | null = $derived.by(() =>
    this.symbolId === '' ? null : contractOf(this.symbolId, accountContextOf(this.#context)),
  );
  /** The price that percentages are measured from. */
  readonly #mark: string | null = $derived.by(
    () => this.#context.specs.references(this.symbolId)[0]?.price ?? null,
  );
  readonly result: LadderResult | null = $derived.by(() =>
    this.contract === null
      ? null
      : ladderOf({
          contractSide: this.contract.side,
          count: this.count,
          from: this.from,
          to: this.to,
          total: this.total,
          spacing: this.spacing,
          sizes: this.sizes,
          ratio: this.ratio,
          parts: this.parts,
          remainder: this.remainder ?? 'leave',
          priceDecimals: this.contract.specs.priceDecimals,
          quantityDecimals: this.contract.specs.quantityDecimals,
          percentOf: this.#mark,
        }),
  );

  readonly triggerTypes: readonly string[] = $derived.by(() => triggerTypesOf(this.#context.session));

  readonly #fields: string = $derived.by(() =>
    JSON.stringify([
      ...[this.symbolId, this.side, this.count, this.from, this.to, this.total, this.spacing, this.sizes],
      ...[this.ratio, this.parts, this.remainder, this.timeInForce, this.postOnly, this.reduceOnly],
      this.#tpSl ?? null,
    ]),
  );
  /** The fields make another ladder than the one whose rows were added: the rows do not follow them. */
  readonly isChanged: boolean = $derived.by(
    () => this.result?.ok === true && this.#usedFields !== null && this.#usedFields !== this.#fields,
  );

  /** The remainder is large enough to need a decision. */
  readonly needsRemainderChoice: boolean = $derived.by(
    () =>
      this.result?.ok === true &&
      this.remainder === null &&
      !less(amount(this.result.ladder.remainderPercent), ASKED_PERCENT),
  );

  /** The position that the rows close and more, so that they turn it over once all are filled; else null. */
  readonly turned: Position | null = $derived.by(() => {
    if (this.contract === null || this.result?.ok !== true || this.reduceOnly) return null;
    const held = closablePosition(this.contract, this.side, false);
    const total = sum(this.result.ladder.rows.map(({ quantity }) => amount(quantity)));
    return held !== null && held.quantity !== null && greater(total, amount(held.quantity)) ? held : null;
  });

  choose(symbolId: string): void {
    this.symbolId = symbolId;
    this.isFromTicket = false;
  }
  /** Uses the ticket's contract until one is chosen here. */
  suggest(symbolId: string): void {
    if (this.symbolId !== '') return;
    this.symbolId = symbolId;
    this.isFromTicket = true;
  }

  /** The type of both triggers. */
  get triggerType(): string {
    return this.triggerTypes.includes(this.#triggerType)
      ? this.#triggerType
      : usualTrigger(this.triggerTypes);
  }
  set triggerType(type: string) {
    this.#triggerType = type;
  }

  /** The triggers of every row, as typed. */
  get #tpSl(): TpSlRequest | undefined {
    if (!this.tpSlOn || (this.tp.trim() === '' && this.sl.trim() === '')) return undefined;
    const type = (price: string): string => (price === '' ? 'NONE' : this.triggerType);
    const [tpPrice, slPrice] = [this.tp.trim(), this.sl.trim()];
    return {
      tpTriggerType: type(tpPrice),
      ...(tpPrice === '' ? {} : { tpPrice }),
      slTriggerType: type(slPrice),
      ...(slPrice === '' ? {} : { slPrice }),
    };
  }

  #triggerFault(field: TriggerField): string | null {
    if (!this.tpSlOn) return null;
    const read = readNumber(TRIGGER_NAMES[field], this[field], this.#mark);
    if (read.ok || read.empty) return null;
    return read.message;
  }

  /** The fault of a field; a missing value counts after Add was pressed. */
  messageAt(field: LadderField | TriggerField): string | null {
    if (field === 'tp' || field === 'sl') return this.#triggerFault(field);
    if (this.result === null || this.result.ok) return null;
    const fault = this.result.faults.find((one) => one.field === field);
    return fault === undefined || (fault.missing && !this.pressed) ? null : fault.message;
  }

  /** The rows, or null while something is missing or wrong. */
  rows(): readonly DraftRow[] | null {
    this.pressed = true;
    if (this.result?.ok !== true || this.result.ladder.empty.length > 0 || this.needsRemainderChoice)
      return null;
    if (this.messageAt('tp') !== null || this.messageAt('sl') !== null) return null;
    const tpSl = this.#tpSl;
    this.pressed = false;
    return this.result.ladder.rows.map(({ price, quantity }, index) => ({
      key: `${KEY}${index + 1}`,
      line: index + 1,
      fault: null,
      cells: cellsOf({
        symbolId: this.symbolId,
        side: this.side,
        type: 'LIMIT',
        timeInForce: this.timeInForce,
        quantity,
        price,
        reduceOnly: this.reduceOnly,
        postOnly: this.postOnly,
        ...(tpSl && { tpSl }),
      }),
    }));
  }

  /** Called when the draft has taken the rows. */
  wereTaken(): void {
    this.#usedFields = this.#fields;
  }

  /** Clears the total once rows of the ladder were sent: Enter in a field would add all of them again. */
  wasSent(keys: readonly string[]): void {
    if (keys.some((key) => key.startsWith(KEY))) this.total = '';
  }

  reset(): void {
    this.#usedFields = null;
    this.choose('');
    this.clear();
  }

  clear(): void {
    this.count = '';
    this.from = '';
    this.to = '';
    this.total = '';
    this.ratio = '1.5';
    this.parts = '';
    this.tp = '';
    this.sl = '';
    this.remainder = null;
    this.pressed = false;
  }
}
