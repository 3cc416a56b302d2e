/**
 * Defines the order life cycle (docs/product.md) as one table; any other transition is an error. `drafted → (blocked
 * here) → recorded → sending → accepted | rejected | not sent | unknown → matched | matched by the user | dismissed`;
 * a matched order that the user disowns is unknown again. Events are spelled as the journal stores them.
 */
export const ORDER_STATES = [
  'drafted',
  'blocked',
  'recorded',
  'sending',
  'accepted',
  'rejected',
  'not-sent',
  'unknown',
  'matched',
  'matched-by-user',
  'dismissed',
] as const;
export type OrderState = (typeof ORDER_STATES)[number];

export const ORDER_EVENTS = [
  'block',
  'record',
  'send',
  'accept',
  'reject',
  'fail-before-send',
  'lose', // the reply is missing, unreadable or does not confirm the outcome
  'take', // the exchange accepted the batch, without this row's id
  'check', // a reconciliation round; changes nothing by itself
  'land', // matched: as many candidates as identical unknown intents, so inferred
  'claim', // matched by the user among candidates
  'close', // dismissed by the user as not found
  'disown', // undone by the user: the matched order is not theirs
  'abandon', // recorded, then the app ended before sending began
] as const;
export type OrderEvent = (typeof ORDER_EVENTS)[number];

const TABLE: Readonly<Record<OrderState, Partial<Record<OrderEvent, OrderState>>>> = {
  drafted: { block: 'blocked', record: 'recorded' },
  blocked: {},
  recorded: { send: 'sending', abandon: 'not-sent' },
  sending: {
    accept: 'accepted',
    reject: 'rejected',
    'fail-before-send': 'not-sent',
    lose: 'unknown',
    take: 'unknown',
  },
  accepted: {},
  rejected: {},
  'not-sent': {},
  unknown: { check: 'unknown', land: 'matched', claim: 'matched-by-user', close: 'dismissed' },
  matched: { disown: 'unknown' },
  'matched-by-user': {},
  dismissed: {},
};

export class OrderLifeError extends Error {
  override readonly name = 'OrderLifeError';
}

/** Returns the state after `event`. Throws OrderLifeError for any pair that is not in the table. */
export function nextState(state: OrderState, event: OrderEvent): OrderState {
  const next = TABLE[state][event];
  if (next === undefined) throw new OrderLifeError(`an order that is ${state} cannot ${event}`);
  return next;
}

/** Reports whether an order was sent and its outcome is not known yet: it may exist at the exchange. */
export const awaitsOutcome = (state: OrderState): boolean => state === 'sending' || state === 'unknown';
