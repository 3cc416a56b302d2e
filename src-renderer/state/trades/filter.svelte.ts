import { orderIdFault, typedOrderId } from '../../text/order-id.ts';
import { isUnsignedDecimal, compareText } from '../../../src-shared/amount.ts';
import type { TypedFilter } from '../../../src-shared/ipc/trade-log-settings.ts';
import type { TradeFilter } from '../../../src-shared/ipc/trades.ts';
import { type DayRange, rangeOf, type RangeName } from '../../../src-shared/domain/display/day-range.ts';
import { notedFilter } from '../../../src-shared/domain/history/order-notes.ts';
import { typedSpan } from '../../../src-shared/domain/display/zoned-time.ts';
import type { Clock } from '../runtime/clock.svelte.ts';
import type { Settings } from '../session/settings.svelte.ts';

/** Ranges offered by one click: calendar periods of the chosen zone. A period that is not over has no end. */
export const PRESETS: readonly { readonly value: RangeName; readonly label: string }[] = [
  { value: 'today', label: 'Today' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: 'month', label: 'This month' },
  { value: 'last-month', label: 'Last month' },
  { value: '3-months', label: 'Last 3 months' },
  { value: 'year', label: 'This year' },
  { value: 'last-year', label: 'Last year' },
  { value: 'all', label: 'All' },
];

const NOTHING: TypedFilter = {
  symbols: [],
  lightUp: false,
  sides: [],
  liquidities: [],
  feeAssets: [],
  orderId: '',
  range: null,
  from: '',
  to: '',
  priceFrom: '',
  priceTo: '',
  qtyFrom: '',
  qtyTo: '',
  tags: [],
  note: '',
  isNoted: false,
};
type Fault = 'orderId' | 'from' | 'to' | 'priceFrom' | 'priceTo' | 'qtyFrom' | 'qtyTo';

/** The filter of the trade log, as typed and as the archive's query. '' and an empty list set no condition. */
export class TradeFilterFields {
  /**
   * As typed. With `range`, the chosen preset, `from` and `to` are empty: its days follow the calendar. `lightUp`: the
   * chosen contracts are highlighted among all others, instead of shown alone.
   */
  values = $state<TypedFilter>({ ...NOTHING });
  #followed: string | null = null;
  readonly #others = new Map<string, TypedFilter>();
  readonly #settings: Settings;
  readonly #clock: Clock;

  constructor(settings: Settings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** The days as typed, or those of the preset now. */
  readonly days: DayRange = $derived.by(() => {
    const { range, from, to } = this.values;
    return range === null ? { from, to } : rangeOf(range, this.#clock.now, this.#settings.timeZone);
  });
  // Texts, so that nothing below runs until a day changes, although they read the clock.
  readonly #from: string = $derived.by(() => this.days.from);
  readonly #to: string = $derived.by(() => this.days.to);
  readonly #times = $derived.by(() => typedSpan(this.#from, this.#to, this.#settings.timeZone));
  /** Error text by field; null where nothing is wrong. */
  readonly faults: Readonly<Record<Fault, string | null>> = $derived.by(() => {
    const { orderId, priceFrom, priceTo, qtyFrom, qtyTo } = this.values;
    return {
      orderId: orderIdFault(orderId),
      ...this.#times.faults,
      priceFrom: unreadNumber(priceFrom),
      priceTo: unreadNumber(priceTo) ?? belowFault(priceFrom, priceTo),
      qtyFrom: unreadNumber(qtyFrom),
      qtyTo: unreadNumber(qtyTo) ?? belowFault(qtyFrom, qtyTo),
    };
  });

  /** The archive's query; null while a field is wrong. */
  readonly query: TradeFilter | null = $derived.by(() => {
    if (Object.values(this.faults).some((fault) => fault !== null)) return null;
    const given = (text: string): string | null => (text.trim() === '' ? null : text.trim());
    const { values } = this;
    return {
      symbols: values.lightUp ? [] : [...values.symbols],
      sides: [...values.sides],
      liquidities: [...values.liquidities],
      feeAssets: [...values.feeAssets],
      orderId: given(typedOrderId(values.orderId)),
      ...this.#times.span,
      priceFrom: given(values.priceFrom),
      priceTo: given(values.priceTo),
      qtyFrom: given(values.qtyFrom),
      qtyTo: given(values.qtyTo),
      noted: notedFilter(values),
    };
  });
  /** How many of the conditions behind “More” are set. */
  readonly more: number = $derived.by(() => {
    const { feeAssets, priceFrom, priceTo, qtyFrom, qtyTo, note, isNoted } = this.values;
    const texts = [feeAssets.join(''), priceFrom, priceTo, qtyFrom, qtyTo, note];
    return texts.filter((text) => text.trim() !== '').length + (isNoted ? 1 : 0);
  });
  readonly active: boolean = $derived.by(() => {
    const { lightUp, symbols, sides, liquidities, tags, orderId } = this.values;
    return (
      this.more > 0 ||
      [lightUp ? [] : symbols, sides, liquidities, tags].some((list) => list.length > 0) ||
      [orderId, this.#from, this.#to].some((text) => text.trim() !== '')
    );
  });

  /** The chosen contracts, if they are to be highlighted. */
  readonly highlighted: ReadonlySet<string> = $derived(
    new Set(this.values.lightUp ? this.values.symbols : []),
  );

  /** The chosen preset; '' for a custom range. */
  get preset(): RangeName | '' {
    const { range, from, to } = this.values;
    return range ?? (from === '' && to === '' ? 'all' : '');
  }
  /** Returns the preset that has these days today; '' if none has. Of several it is the chosen one. */
  presetOf({ from, to }: DayRange): RangeName | '' {
    const names = [this.values.range ?? 'all', ...PRESETS.map(({ value }) => value)];
    const equal = names.find((name) => {
      const range = rangeOf(name, this.#clock.now, this.#settings.timeZone);
      return from === range.from && to === range.to;
    });
    return equal ?? '';
  }
  usePreset(range: RangeName): void {
    Object.assign(this.values, { range, from: '', to: '' });
  }
  /** Uses days as typed; those of a preset choose it. */
  useDays(days: DayRange): void {
    const preset = this.presetOf(days);
    if (preset === '') Object.assign(this.values, { range: null, ...days });
    else this.usePreset(preset);
  }

  /** Returns the filter as it is saved under a name. */
  typed(): TypedFilter {
    return $state.snapshot(this.values);
  }
  use(typed: TypedFilter): void {
    this.values = { ...typed };
  }

  /** Keeps the filter for the connection that is left, and brings back that of the other. */
  follow(connectionId: string): void {
    if (this.#followed !== null) this.#others.set(this.#followed, this.typed());
    this.#followed = connectionId;
    this.use(this.#others.get(connectionId) ?? NOTHING);
  }

  clear(): void {
    this.use(NOTHING);
  }
}

const unreadNumber = (text: string): string | null =>
  text.trim() === '' || isUnsignedDecimal(text.trim()) ? null : 'A plain number, such as 2.5';
const belowFault = (from: string, to: string): string | null =>
  isUnsignedDecimal(from.trim()) && isUnsignedDecimal(to.trim()) && compareText(to.trim(), from.trim()) < 0
    ? 'The upper bound is below the lower one'
    : null;
