/** Texts of an order: the sheet's sentence, its flags, the label of Send. */
import { ORDER_TYPE, sideWord, TIME_IN_FORCE } from '../../../src-shared/exchange-api/enums.ts';
import { plainNumber } from '../../text/number-text.ts';
import type { ReviewQuestion } from '../../state/order/review.svelte.ts';

export interface Sentence {
  /** `Buy 0.850 BTC`, `Close 2.000 BTC long`, `Close all of BTC-USDT-M`. */
  readonly what: string;
  /** `at 97,250.0 USDT`, `at market`. */
  readonly where: string;
}

export function sentenceOf({ intent, preview }: ReviewQuestion): Sentence {
  const { request } = intent;
  const coins = preview?.contract.coins;
  const unit = coins?.quantity ?? '';
  const where =
    request.price === undefined
      ? 'at market'
      : `at ${plainNumber(request.price)} ${coins?.quote ?? ''}`.trim();
  if (intent.kind === 'close-all') {
    const held = preview?.effect.before;
    const side = request.side === 'SELL' ? 'long' : 'short';
    const now = held ? `, now ${plainNumber(held.quantity)} ${unit}`.trimEnd() : '';
    return { what: `Close all of ${request.symbolId} ${side}${now}`, where };
  }
  const quantity = `${plainNumber(request.quantity ?? '0')} ${unit}`.trim();
  if (request.reduceOnly === true) {
    return { what: `Close ${quantity} ${request.side === 'SELL' ? 'long' : 'short'}`, where };
  }
  if (request.reverseOrder === true) {
    return { what: `Reverse to ${quantity} ${sideWord(request.side)}`, where };
  }
  return { what: `${request.side === 'BUY' ? 'Buy' : 'Sell'} ${quantity}`, where };
}

/** `BTC-USDT-M · Limit · GTC · Post-only`. */
export function flagsOf({ intent }: ReviewQuestion): string {
  const { request } = intent;
  const parts: string[] = [request.symbolId, ORDER_TYPE[request.type]];
  if (request.timeInForce !== undefined)
    parts.push(`${request.timeInForce}, ${TIME_IN_FORCE[request.timeInForce].toLowerCase()}`);
  if (request.postOnly === true) parts.push('Post-only');
  if (request.reduceOnly === true) parts.push('Reduce-only');
  if (request.reverseOrder === true) parts.push('Reverse');
  if (intent.kind === 'close-all') parts.push('no quantity: closes the whole position');
  return parts.join(' · ');
}

export function sendLabel({ intent: { kind, request } }: ReviewQuestion, badge: string): string {
  if (kind === 'close-all' || request.reduceOnly === true) return `Send ${badge} close`;
  if (request.reverseOrder === true) return `Send ${badge} reverse`;
  return `Send ${badge} ${request.side === 'BUY' ? 'buy' : 'sell'}`;
}
