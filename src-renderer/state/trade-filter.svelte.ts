import { NO_FILTER, type TradeFilter } from '../../src-shared/contract/trades.ts';
import { dayBefore, TIME_FORM, zonedSpan } from '../../src-shared/domain/zoned-time.ts';
import type { Settings } from './settings.svelte.ts';

/** Ranges offered by one click: days back from today, in the chosen zone. */
export const PRESETS = [
  { value: 'today', label: 'Today', days: 0 },
  { value: '7d', label: '7 d', days: 7 },
  { value: '30d', label: '30 d', days: 30 },
  { value: 'all', label: 'All', days: null },
] as const;
export type Preset = (typeof PRESETS)[number]['value'];

/** The filter of the trade log as typed, and what it means. '' is no condition. */
export class TradeFilterFields {
  symbol = $state('');
  side = $state('');
  liquidity = $state('');
  orderId = $state('');
  from = $state('');
  to = $state('');
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
  readonly faults: Readonly<Record<'orderId' | 'from' | 'to', string | null>> = $derived.by(() => {
    const { from, to } = this.#span;
    const unread = (text: string, ms: number | null): string | null =>
      text.trim() === '' || ms !== null ? null : `Write ${TIME_FORM}`;
    const backwards = from !== null && to !== null && to < from ? 'Ends before it begins' : null;
    const id = this.orderId.trim();
    return {
      orderId: id === '' || /^\d{1,20}$/.test(id) ? null : 'Digits only, at most 20',
      from: unread(this.from, from),
      to: unread(this.to, to) ?? backwards,
    };
  });

  /** The filter as the archive is asked; null while a field is wrong. */
  readonly query: TradeFilter | null = $derived.by(() => {
    if (Object.values(this.faults).some((fault) => fault !== null)) return null;
    const given = (text: string): string | null => (text.trim() === '' ? null : text.trim());
    const several = (text: string): string[] => (text === '' ? [] : [text]);
    return {
      ...NO_FILTER,
      symbols: several(this.symbol),
      sides: several(this.side),
      liquidities: several(this.liquidity),
      orderId: given(this.orderId),
      ...this.#span,
    };
  });

  readonly active: boolean = $derived(
    [this.symbol, this.side, this.liquidity, this.orderId, this.from, this.to].some(
      (text) => text.trim() !== '',
    ),
  );

  /** The preset the typed range equals at `now` (ms), '' for a range of one's own. */
  presetAt(now: number): Preset | '' {
    if (this.to !== '') return '';
    const zone = this.#settings.timeZone;
    const same = PRESETS.find(({ days }) => this.from === (days === null ? '' : dayBefore(now, zone, days)));
    return same?.value ?? '';
  }
  usePreset(preset: Preset, now: number): void {
    const days = PRESETS.find((one) => one.value === preset)?.days ?? null;
    this.from = days === null ? '' : dayBefore(now, this.#settings.timeZone, days);
    this.to = '';
  }

  clear(): void {
    this.symbol = '';
    this.side = '';
    this.liquidity = '';
    this.orderId = '';
    this.from = '';
    this.to = '';
  }
}
