/**
 * The inputs of the exchange as plain JSON, from which a file restores the same exchange. Reads are not inputs.
 * Time is one only where it leapt (clock.ts) or where nothing else shows how far it came.
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

/** An input and its time, in milliseconds since 1970 of the exchange's clock. */
export type Timed = Input & { readonly at: number };

/** Stores an input before it takes effect. When it throws, nothing happens. */
export type Recorder = (input: Timed) => void;
