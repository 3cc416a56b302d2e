/** Replays recorded inputs: the same inputs in the same order give the same exchange. */
import type { Engine } from './engine.ts';
import type { Timed } from './recording.ts';

export function replay(engine: Engine, input: Timed): void {
  const { at } = input;
  if (input.do === 'leap') {
    engine.leapTo(input.from, at);
    return;
  }
  // Recorded time passed in small steps, so no gap between inputs is a leap.
  engine.stepTo(at);
  switch (input.do) {
    case 'order':
      engine.placeOrder(at, input.request);
      return;
    case 'batch':
      engine.placeBatch(at, input.requests);
      return;
    case 'shock':
      engine.shock(at, input.symbolId, input.share);
      return;
    case 'cancel':
      engine.cancel(at, input.id);
      return;
    case 'leverage':
      engine.setLeverage(at, input.symbolId, input.leverage, input.marginMode);
      return;
    case 'mode':
      engine.setPositionMode(at, input.mode);
      return;
    case 'grant':
      engine.grant(at, input.coin, BigInt(input.atoms));
      return;
    case 'bar':
      engine.bar(at, input.from);
      return;
    case 'pass':
      return;
  }
}
