import { amount, isPositive } from '../../../src-shared/amount.ts';
import { coinsOf } from '../../../src-shared/domain/instrument/currencies.ts';
import { unitsOf } from '../../../src-shared/domain/instrument/trading-context.ts';
import { positionValue } from '../../../src-shared/domain/margin/margin.ts';
import type { AppState } from '../../state/app/app-state.svelte.ts';
import { moneyDigits, roundedMoney } from '../../text/estimate-text.ts';
import { amountText, type ShownText, UNIT, withUnit } from '../../text/shown-text.ts';

/** A size to show in the user's unit: as received, or as its value in the quote coin. */
export interface SizeOf {
  readonly symbolId: string;
  /** null if the record has none. */
  readonly quantity: string | null;
  /** Price to convert with: a position's mark, an order's own price. Without one the size is shown as received. */
  readonly price: string | null | undefined;
  readonly decimals?: number | undefined;
  readonly strong?: boolean | undefined;
  /** The coin, if it has to be shown. */
  readonly unit?: string | undefined;
}

export function sizeText(app: AppState, size: SizeOf, hidden: boolean): ShownText {
  const { quantity, decimals, strong, unit } = size;
  const quote = inQuote(app, size);
  if (quote === null) return withUnit(amountText(quantity, { decimals, strong }, hidden), unit);
  const text = amountText(quote.value, { estimate: true, strong, unit: quote.coin }, hidden);
  return { ...text, pieces: [...text.pieces, { text: quote.coin, className: UNIT }] };
}

/**
 * Returns the size in quote units; null if sizes are shown as received, the price is unknown, or it is in quote units
 * already.
 */
function inQuote(
  app: AppState,
  { symbolId, quantity, price }: SizeOf,
): { readonly value: string; readonly coin: string } | null {
  if (app.settings.value.sizeUnit !== 'quote' || !price || quantity === null) return null;
  const config = app.feeds.contractBySymbol.get(symbolId);
  if (config?.contractSide !== 'FORWARD') return null;
  if (!isPositive(amount(quantity)) || !isPositive(amount(price))) return null;
  const units = unitsOf({ specs: app.specs.of(symbolId) }, quantity);
  const value = positionValue({ contractSide: 'FORWARD', quantity: units, price });
  return { value: roundedMoney(value, moneyDigits('FORWARD')), coin: coinsOf(config).quote };
}
