import {
  absolute,
  add,
  amount,
  calculated,
  greater,
  isPositive,
  isZero,
  multiply,
  print,
  round,
  subtract,
  ZERO,
} from '../../../src-shared/amount.ts';
import { contractOf, type KnownContract } from '../../../src-shared/domain/instrument/trading-context.ts';
import { readNumber } from '../../../src-shared/domain/numeric/number-input.ts';
import {
  liquidationOf,
  type WhatIf as WhatIfResult,
  whatIf,
  type WhatIfInput,
} from '../../../src-shared/domain/risk/what-if.ts';
import { prepareWhatIf, type WhatIfContext } from '../../../src-shared/domain/risk/what-if-inputs.ts';
import type { Reference } from '../../../src-shared/domain/instrument/reference-prices.ts';
import type { Position } from '../../../src-shared/exchange-api/account.ts';
import { accountContextOf, type TradingContext } from '../../state/order/trading-context.ts';
import type { TicketSeed } from '../../state/session/navigation.svelte.ts';
import type { RiskInput, WhatIfStart } from '../../state/risk/risk-input.svelte.ts';
import type { Risk } from './risk.svelte.ts';
import type { Ticket } from '../../state/ticket/ticket.svelte.ts';
import { type OrderSide, isLongOrShort, opposite } from '../../../src-shared/exchange-api/enums.ts';

export interface CurvePoint {
  readonly quantity: string;
  readonly price: string | null;
}

const POINTS = 41;

/** A hypothetical position in the contract shown in Risk. */
export class WhatIf {
  readonly #risk: Risk;
  readonly #context: TradingContext;
  readonly #ticket: Ticket;
  readonly #input: RiskInput;

  constructor(risk: Risk, context: TradingContext, ticket: Ticket, input: RiskInput) {
    this.#risk = risk;
    this.#context = context;
    this.#ticket = ticket;
    this.#input = input;
  }

  /** What was typed over the start values of this contract; null when nothing was. */
  get #typed(): Partial<WhatIfInput> | null {
    const { symbolId, fields } = this.#input.whatIf;
    return symbolId === this.symbolId ? fields : null;
  }

  readonly symbolId: string = $derived.by(() => this.#risk.selected?.symbolId ?? '');
  readonly contract: KnownContract | null = $derived.by(() =>
    contractOf(this.symbolId, accountContextOf(this.#context)),
  );
  /** The price that stands for the mark, which only a position has: the newest one known. */
  readonly reference: Reference | null = $derived.by(() => this.#risk.reference);
  readonly markPrice: string | null = $derived.by(() => this.reference?.price ?? null);
  readonly held: readonly Position[] = $derived.by(() =>
    (this.contract?.positions ?? []).filter((one) => isLongOrShort(one.side)),
  );
  readonly #draft = $derived.by(() => {
    const { preview, symbolId } = this.#ticket;
    return symbolId === this.symbolId && preview?.ok === true ? preview.preview.after : null;
  });
  /** The start values on offer: flat, and the open position and the draft if there are any. */
  readonly starts: readonly WhatIfStart[] = $derived.by(() => [
    'flat',
    ...(this.held.length > 0 ? (['position'] as const) : []),
    ...(this.#draft === null ? [] : (['draft'] as const)),
  ]);
  readonly start: WhatIfStart = $derived.by(() => {
    const requested = this.#input.whatIf.start;
    if (requested !== null && this.starts.includes(requested)) return requested;
    return this.starts.at(-1) ?? 'flat';
  });

  readonly #seed: WhatIfInput = $derived.by(() => {
    const contract = this.contract;
    const side = this.#typed?.side;
    const own = this.held.find((one) => one.side === side) ?? this.held[0];
    const leg = this.#draft?.leg;
    const base = (of: OrderSide) => ({
      side: of,
      leverage: contract?.legs[of].leverage ?? '1',
      isolated: contract?.legs[of].isolated ?? false,
    });
    const decimals = contract?.specs.priceDecimals ?? null;
    const shown = (price: string): string =>
      decimals === null ? price : print(round(calculated(price), decimals, 'half-up'));
    if (this.start === 'draft' && leg)
      return { ...base(side ?? leg.side), entryPrice: shown(leg.entryPrice), quantity: leg.quantity };
    if (this.start === 'position' && own && isLongOrShort(own.side))
      return { ...base(side ?? own.side), entryPrice: own.avgEntryPrice ?? '', quantity: own.quantity ?? '' };
    return { ...base(side ?? 'BUY'), entryPrice: this.markPrice ?? '', quantity: '' };
  });
  readonly fields: WhatIfInput = $derived.by(() => ({ ...this.#seed, ...this.#typed }));
  readonly changed: boolean = $derived.by(() => Object.keys(this.#typed ?? {}).length > 0);

  readonly context: WhatIfContext | string = $derived.by(() => {
    const { context } = this.#context.fit;
    if (context === null) return 'The account has not been read yet.';
    if (this.contract === null) return 'The contract cannot be calculated with.';
    if (this.markPrice === null) return 'No price is known for this contract.';
    return prepareWhatIf(this.contract, this.markPrice, context);
  });
  /** Errors by field. An empty field is incomplete, not wrong. */
  readonly faults: Readonly<Partial<Record<'entryPrice' | 'quantity' | 'leverage', string>>> = $derived.by(
    () => {
      const names = { entryPrice: 'Entry price', quantity: 'Quantity', leverage: 'Leverage' } as const;
      const faults: Partial<Record<keyof typeof names, string>> = {};
      for (const key of ['entryPrice', 'quantity', 'leverage'] as const) {
        const text = this.fields[key];
        if (text === '') continue;
        const read = readNumber(names[key], text);
        if (!read.ok) faults[key] = read.message;
        else if (!greater(amount(read.text), ZERO)) faults[key] = `${names[key]} must be above 0.`;
      }
      return faults;
    },
  );
  readonly input: WhatIfInput | null = $derived.by(() => {
    const { entryPrice, quantity, leverage } = this.fields;
    if ([entryPrice, quantity, leverage].includes('') || Object.keys(this.faults).length > 0) return null;
    return this.fields;
  });
  readonly result: WhatIfResult | string | null = $derived.by(() => {
    if (typeof this.context === 'string') return this.context;
    return this.input === null ? null : whatIf(this.input, this.context);
  });

  /** Liquidation price by position size, from a twentieth of the range to all of it. */
  readonly curve: readonly CurvePoint[] = $derived.by(() => {
    const { input, context } = this;
    if (input === null || typeof context === 'string' || typeof this.result === 'string') return [];
    const sizes = [input.quantity, ...this.held.map((one) => one.quantity ?? '0')].map(calculated);
    const most = multiply(
      sizes.reduce((a, b) => (greater(a, b) ? a : b)),
      amount('2'),
    );
    const decimals = context.contract.specs.quantityDecimals ?? 8;
    const rounded = Array.from({ length: POINTS }, (_, n) => {
      const share = amount(String((n + 1) / POINTS).slice(0, 10));
      return print(round(multiply(most, share), decimals, 'up'));
    });
    // Of a few lots several points are one size.
    return [...new Set(rounded)].map((quantity) => ({
      quantity,
      price: isPositive(amount(quantity)) ? liquidationOf({ ...input, quantity }, context).value : null,
    }));
  });

  type(fields: Partial<WhatIfInput>): void {
    const { symbolId } = this;
    const { start } = this.#input.whatIf;
    this.#input.whatIf = { start, symbolId, fields: { ...this.#typed, ...fields } };
  }
  begin(start: WhatIfStart): void {
    this.#input.whatIf = { start, symbolId: this.symbolId, fields: {} };
  }

  /** The order that turns the position into the hypothetical one; null if none is needed. */
  readonly seed: TicketSeed | null = $derived.by(() => {
    const { input } = this;
    if (input === null) return null;
    const hedge = this.contract?.hedge === true;
    const own = this.held.find((one) => (hedge ? one.side === input.side : true));
    const price = input.entryPrice === own?.avgEntryPrice ? {} : { price: input.entryPrice };
    const base = { symbolId: this.symbolId, type: 'LIMIT' as const, ...price };
    if (own === undefined) return { ...base, side: input.side, quantity: input.quantity };
    const [wanted, held] = [calculated(input.quantity), calculated(own.quantity ?? '0')];
    if (own.side !== input.side)
      return { ...base, side: input.side, quantity: print(add(wanted, held)), reduceOnly: false };
    const apart = subtract(wanted, held);
    if (isZero(apart)) return null;
    const more = isPositive(apart);
    const side: OrderSide = more ? input.side : opposite(input.side);
    return { ...base, side, quantity: print(absolute(apart)), reduceOnly: !more };
  });
}
