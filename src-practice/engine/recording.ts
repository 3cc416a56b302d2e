/**
 * Inputs of the exchange as plain JSON: what a file keeps so that the same exchange can be had again. Reading is no
 * input, and time is one only where it was leapt (clock.ts) or where nothing else tells how far it had come.
 */
import type { MarginMode } from './contracts.ts';
import type { PositionMode } from './orders.ts';
import type { OrderRequest } from './request.ts';
import type { Account } from './world.ts';

export type Input =
  | { readonly do: 'order'; readonly request: OrderRequest }
  | { readonly do: 'batch'; readonly requests: readonly OrderRequest[] }
  | { readonly do: 'shock'; readonly symbolId: string; readonly share: string }
  | { readonly do: 'cancel'; readonly id: string }
  | {
      readonly do: 'leverage';
      readonly symbolId: string;
      readonly leverage: number;
      readonly marginMode: MarginMode;
    }
  | { readonly do: 'mode'; readonly mode: PositionMode }
  | { readonly do: 'grant'; readonly coin: string; readonly atoms: string }
  | { readonly do: 'bar'; readonly from: Account['barred'] }
  /** Time came to `at` by leaping from `from`. */
  | { readonly do: 'leap'; readonly from: number }
  /** Time came to `at`. */
  | { readonly do: 'pass' };

/** An input and when it came, in milliseconds since 1970 of the exchange's clock. */
export type Timed = Input & { readonly at: number };

/** Keeps an input before it is acted on; throws when it can't, and then nothing happens. */
export type Recorder = (input: Timed) => void;
