import { isUnsignedDecimal, compareText } from '../../../src-shared/amount.ts';
import type { TypedFilter } from '../../../src-shared/ipc/trade-log-settings.ts';
import type { TradeFilter } from '../../../src-shared/ipc/trades.ts';
import { rangeOf, type RangeName } from '../../../src-shared/domain/display/day-range.ts';
import { notedFilter } from '../../../src-shared/domain/history/order-notes.ts';
import { TIME_FORM, zonedSpan } from '../../../src-shared/domain/display/zoned-time.ts';
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
  symbols = $state.raw<string[]>([]);
  /** The chosen contracts are highlighted among all others, instead of shown alone. */
  isHighlighting = $state(false);
  sides = $state.raw<string[]>([]);
  liquidities = $state.raw<string[]>([]);
  feeAssets = $state.raw<string[]>([]);
  orderId = $state('');
  from = $state('');
  to = $state('');
  priceFrom = $state('');
  priceTo = $state('');
  qtyFrom = $state('');
  qtyTo = $state('');
  tags = $state.raw<string[]>([]);
  note = $state('');
  isNoted = $state(false);
  #followed: string | null = null;
  readonly #others = new Map<string, TypedFilter>();
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  readonly #span = $derived.by(() => {
    const zone = this.#settings.timeZone;
    return {
      from: zonedSpan(this.from, zone)?.first ?? null,
      to: zonedSpan(this.to, zone)?.last ?? null,
    };
  });

  /** Error text by field; null where nothing is wrong. */
  readonly faults: Readonly<Record<Fault, string | null>> = $derived.by(() => {
    const { from, to } = this.#span;
    const unread = (text: string, ms: number | null): string | null =>
      text.trim() === '' || ms !== null ? null : `Use the form ${TIME_FORM}`;
    const backwards = from !== null && to !== null && to < from ? 'The end is before the start' : null;
    const id = this.orderId.trim();
    return {
      orderId: id === '' || /^\d{1,20}$/.test(id) ? null : 'Digits only, at most 20',
      from: unread(this.from, from),
      to: unread(this.to, to) ?? backwards,
      priceFrom: unreadNumber(this.priceFrom),
      priceTo: unreadNumber(this.priceTo) ?? belowFault(this.priceFrom, this.priceTo),
      qtyFrom: unreadNumber(this.qtyFrom),
      qtyTo: unreadNumber(this.qtyTo) ?? belowFault(this.qtyFrom, this.qtyTo),
    };
  });

  /** The archive's query; null while a field is wrong. */
  readonly query: TradeFilter | null = $derived.by(() => {
    if (Object.values(this.faults).some((fault) => fault !== null)) return null;
    const given = (text: string): string | null => (text.trim() === '' ? null : text.trim());
    return {
      symbols: this.isHighlighting ? [] : [...this.symbols],
      sides: [...this.sides],
      liquidities: [...this.liquidities],
      feeAssets: [...this.feeAssets],
      orderId: given(this.orderId),
      ...this.#span,
      priceFrom: given(this.priceFrom),
      priceTo: given(this.priceTo),
      qtyFrom: given(this.qtyFrom),
      qtyTo: given(this.qtyTo),
      noted: notedFilter(this),
    };
  });
  /** How many of the conditions behind “More” are set. */
  readonly more: number = $derived(
    [this.feeAssets.join(''), this.priceFrom, this.priceTo, this.qtyFrom, this.qtyTo, this.note].filter(
      (text) => text.trim() !== '',
    ).length + (this.isNoted ? 1 : 0),
  );
  readonly active: boolean = $derived(
    this.more > 0 ||
      [this.isHighlighting ? [] : this.symbols, this.sides, this.liquidities, this.tags].some(
        (list) => list.length > 0,
      ) ||
      [this.orderId, this.from, this.to].some((text) => text.trim() !== ''),
  );

  /** Contracts to highlight. */
  readonly highlighted: ReadonlySet<string> = $derived(new Set(this.isHighlighting ? this.symbols : []));

  /** Returns the preset that equals the typed range at `now` (ms), '' for a custom range. */
  presetAt(now: number): RangeName | '' {
    const found = PRESETS.find(({ value }) => {
      const { from, to } = rangeOf(value, now, this.#settings.timeZone);
      return this.from === from && this.to === to;
    });
    return found?.value ?? '';
  }
  usePreset(preset: RangeName, now: number): void {
    Object.assign(this, rangeOf(preset, now, this.#settings.timeZone));
  }

  /** Returns the filter as it is saved under a name. */
  typed(now: number): TypedFilter {
    const range = this.presetAt(now);
    return {
      symbols: [...this.symbols],
      lightUp: this.isHighlighting,
      sides: [...this.sides],
      liquidities: [...this.liquidities],
      feeAssets: [...this.feeAssets],
      orderId: this.orderId,
      range: range === '' ? null : range,
      from: range === '' ? this.from : '',
      to: range === '' ? this.to : '',
      priceFrom: this.priceFrom,
      priceTo: this.priceTo,
      qtyFrom: this.qtyFrom,
      qtyTo: this.qtyTo,
      tags: [...this.tags],
      note: this.note,
      isNoted: this.isNoted,
    };
  }
  use({ range, lightUp: isHighlighting, ...typed }: TypedFilter, now: number): void {
    Object.assign(this, { ...typed, isHighlighting });
    if (range !== null) this.usePreset(range, now);
  }

  /** Keeps the filter for the connection that is left, and brings back that of the other. A preset stays one. */
  follow(connectionId: string, now: number): void {
    if (this.#followed !== null) this.#others.set(this.#followed, this.typed(now));
    this.#followed = connectionId;
    this.use(this.#others.get(connectionId) ?? NOTHING, now);
  }

  clear(): void {
    this.use(NOTHING, 0);
  }
}

const unreadNumber = (text: string): string | null =>
  text.trim() === '' || isUnsignedDecimal(text.trim()) ? null : 'A plain number, such as 2.5';
const belowFault = (from: string, to: string): string | null =>
  isUnsignedDecimal(from.trim()) && isUnsignedDecimal(to.trim()) && compareText(to.trim(), from.trim()) < 0
    ? 'The upper bound is below the lower one'
    : null;
