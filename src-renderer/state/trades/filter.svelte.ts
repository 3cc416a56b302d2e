import { isUnsignedDecimal, compareText } from '../../../src-shared/amount.ts';
import type { RANGES, TypedFilter } from '../../../src-shared/ipc/trade-log-settings.ts';
import type { TradeFilter } from '../../../src-shared/ipc/trades.ts';
import { dayBefore, TIME_FORM, zonedSpan } from '../../../src-shared/domain/display/zoned-time.ts';
import type { Settings } from '../session/settings.svelte.ts';

export type Preset = (typeof RANGES)[number];
/** Ranges offered by one click: from a day up to now, in the chosen zone. */
export const PRESETS: readonly { readonly value: Preset; readonly label: string; readonly title: string }[] =
  [
    { value: 'today', label: 'Today', title: 'Today' },
    { value: '7d', label: '7 d', title: 'The last seven days and today' },
    { value: '30d', label: '30 d', title: 'The last thirty days and today' },
    { value: 'month', label: 'Month', title: 'This calendar month' },
    { value: 'year', label: 'Year', title: 'This calendar year' },
    { value: 'all', label: 'All', title: 'Everything stored' },
  ];
const DAYS: Partial<Record<Preset, number>> = { today: 0, '7d': 7, '30d': 30 };

const NOTHING: TypedFilter = {
  symbols: [],
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
};
type Fault = 'orderId' | 'from' | 'to' | 'priceFrom' | 'priceTo' | 'qtyFrom' | 'qtyTo';

/** The filter of the trade log as typed, and what it means. '' and an empty list are no condition. */
export class TradeFilterFields {
  symbols = $state.raw<string[]>([]);
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

  /** What is wrong at a field and the way out; null where nothing is. */
  readonly faults: Readonly<Record<Fault, string | null>> = $derived.by(() => {
    const { from, to } = this.#span;
    const unread = (text: string, ms: number | null): string | null =>
      text.trim() === '' || ms !== null ? null : `Write ${TIME_FORM}`;
    const backwards = from !== null && to !== null && to < from ? 'Ends before it begins' : null;
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

  /** The filter as the archive is asked; null while a field is wrong. */
  readonly query: TradeFilter | null = $derived.by(() => {
    if (Object.values(this.faults).some((fault) => fault !== null)) return null;
    const given = (text: string): string | null => (text.trim() === '' ? null : text.trim());
    return {
      symbols: [...this.symbols],
      sides: [...this.sides],
      liquidities: [...this.liquidities],
      feeAssets: [...this.feeAssets],
      orderId: given(this.orderId),
      ...this.#span,
      priceFrom: given(this.priceFrom),
      priceTo: given(this.priceTo),
      qtyFrom: given(this.qtyFrom),
      qtyTo: given(this.qtyTo),
    };
  });

  /** Conditions that are not in the bar but behind “More”. */
  readonly more: number = $derived(
    [this.feeAssets.join(''), this.priceFrom, this.priceTo, this.qtyFrom, this.qtyTo].filter(
      (text) => text.trim() !== '',
    ).length,
  );
  readonly active: boolean = $derived(
    this.more > 0 ||
      [this.symbols, this.sides, this.liquidities].some((list) => list.length > 0) ||
      [this.orderId, this.from, this.to].some((text) => text.trim() !== ''),
  );

  /** The preset the typed range equals at `now` (ms), '' for a range of one's own. */
  presetAt(now: number): Preset | '' {
    if (this.to !== '') return '';
    return PRESETS.find(({ value }) => this.from === this.#dayOf(value, now))?.value ?? '';
  }
  usePreset(preset: Preset, now: number): void {
    this.from = this.#dayOf(preset, now);
    this.to = '';
  }
  #dayOf(preset: Preset, now: number): string {
    const zone = this.#settings.timeZone;
    const days = DAYS[preset];
    if (days !== undefined) return dayBefore(now, zone, days);
    const today = dayBefore(now, zone, 0);
    if (preset === 'month') return `${today.slice(0, 8)}01`;
    return preset === 'year' ? `${today.slice(0, 5)}01-01` : '';
  }

  /** To be kept under a name. */
  typed(now: number): TypedFilter {
    const range = this.presetAt(now);
    return {
      symbols: [...this.symbols],
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
    };
  }
  use({ range, ...typed }: TypedFilter, now: number): void {
    Object.assign(this, typed);
    if (range !== null) this.usePreset(range, now);
  }

  clear(): void {
    this.use(NOTHING, 0);
  }
}

const unreadNumber = (text: string): string | null =>
  text.trim() === '' || isUnsignedDecimal(text.trim()) ? null : 'A plain number, such as 2.5';
const belowFault = (from: string, to: string): string | null =>
  isUnsignedDecimal(from.trim()) && isUnsignedDecimal(to.trim()) && compareText(to.trim(), from.trim()) < 0
    ? 'Less than the other bound'
    : null;
