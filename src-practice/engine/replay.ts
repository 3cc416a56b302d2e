/** Replays recorded inputs: the same inputs in the same order give the same exchange. */
import type { Engine } from './engine.ts';
import type { InputKind, Timed } from './recording.ts';

const ACTS: { readonly [K in InputKind]: (engine: Engine, input: Timed<K>) => unknown } = {
  order: (engine, { at, request }) => engine.placeOrder(at, request),
  batch: (engine, { at, requests }) => engine.placeBatch(at, requests),
  shock: (engine, { at, symbolId, share }) => engine.shock(at, symbolId, share),
  cancel: (engine, { at, id }) => engine.cancel(at, id),
  leverage: (engine, { at, symbolId, leverage, marginMode }) =>
    engine.setLeverage(at, symbolId, leverage, marginMode),
  mode: (engine, { at, mode }) => engine.setPositionMode(at, mode),
  grant: (engine, { at, coin, atoms }) => engine.grant(at, coin, BigInt(atoms)),
  bar: (engine, { at, from }) => engine.bar(at, from),
  leap: (engine, { at, from }) => engine.leapTo(from, at),
  pass: () => undefined,
};

/** Reports whether a kind of input is known, as one of a newer version may not be. */
export const isKnownInput = (kind: string): kind is InputKind => Object.hasOwn(ACTS, kind);

export function replay<K extends InputKind>(engine: Engine, input: Timed<K>): void {
  // Recorded time passed in small steps, so no gap between inputs is a leap.
  if (input.do !== 'leap') engine.stepTo(input.at);
  ACTS[input.do](engine, input);
}
