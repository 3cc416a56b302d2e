/**
 * The inputs of the exchange as plain JSON, from which a file restores the same exchange. Reads are not inputs.
 * Time is one only where it leapt (clock.ts) or where nothing else shows how far it came.
 */
import type { PositionMode } from './orders.ts';
import type { OrderRequest } from './request.ts';
import type { Account } from './world.ts';
import type { MarginMode } from '../../src-shared/exchange-api/enums.ts';

interface Inputs {
  readonly order: { readonly request: OrderRequest };
  readonly batch: { readonly requests: readonly OrderRequest[] };
  readonly shock: { readonly symbolId: string; readonly share: string };
  readonly cancel: { readonly id: string };
  readonly leverage: {
    readonly symbolId: string;
    readonly leverage: number;
    readonly marginMode: MarginMode;
  };
  readonly mode: { readonly mode: PositionMode };
  readonly grant: { readonly coin: string; readonly atoms: string };
  readonly bar: { readonly from: Account['barred'] };
  /** Time came to `at` by leaping from `from`. */
  readonly leap: { readonly from: number };
  /** Time came to `at`. */
  readonly pass: object;
}
export type InputKind = keyof Inputs;

/** An input and its time, in milliseconds since 1970 of the exchange's clock. */
export type Timed<K extends InputKind = InputKind> = {
  [P in K]: { readonly do: P; readonly at: number } & Inputs[P];
}[K];

/** Stores an input before it takes effect. When it throws, nothing happens. */
export type Recorder = (input: Timed) => void;
