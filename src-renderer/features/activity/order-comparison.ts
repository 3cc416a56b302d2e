/** Compares the sent order with the found one, so that the user sees why it was matched. */
import { amount, equal } from '../../../src-shared/amount.ts';
import type { IntentRecord } from '../../../src-shared/ipc/orders.ts';
import type { SeenOrder } from '../../../src-shared/domain/reconcile/listed-orders.ts';
import { requestOf } from '../../../src-shared/exchange-api/sent-request.ts';

export interface ComparedField {
  readonly field: string;
  /** null if the request did not contain it. */
  readonly sent: string | null;
  /** null if the record does not have it, or it could not be read. */
  readonly found: string | null;
  /** null where there is nothing to compare: one side does not have the field. */
  readonly same: boolean | null;
}

/** Returns the matched order as reconciliation saw it; null when none was matched. */
export function matchedOrder(record: IntentRecord): SeenOrder | null {
  if (record.orderId === null) return null;
  for (const check of record.finding?.checks.toReversed() ?? []) {
    const found = check.candidates.find((one) => one.orderId === record.orderId);
    if (found !== undefined) return found;
  }
  return null;
}

const yesNo = (on: boolean): string => (on ? 'yes' : 'no');

/** Compares field by field; numbers by value, so that `0.50` equals `0.5`. */
export function compareOrders(record: IntentRecord, found: SeenOrder): readonly ComparedField[] {
  const sent = requestOf(record.body);
  if (sent === null) return [];
  const text = (field: string, one: string | undefined, other: string): ComparedField => ({
    field,
    sent: one ?? null,
    found: other,
    same: one === undefined ? null : one === other,
  });
  const number = (field: string, one: string | undefined, other: string | null): ComparedField => ({
    field,
    sent: one ?? null,
    found: other,
    same: one === undefined || other === null ? null : equal(amount(one), amount(other)),
  });
  const carried = (
    field: string,
    one: string | undefined,
    other: string | null | undefined,
  ): ComparedField[] => (other === null || other === undefined ? [] : [number(field, one, other)]);
  const flag = (field: string, one: boolean | undefined, other: boolean | null): ComparedField => ({
    field,
    sent: yesNo(one ?? false),
    found: other === null ? null : yesNo(other),
    same: other === null ? null : (one ?? false) === other,
  });
  return [
    text('Side', sent.side, found.side),
    text('Type', sent.type, found.type),
    ...(sent.type === 'LIMIT'
      ? [text('Time in force', sent.timeInForce, found.timeInForce), number('Price', sent.price, found.price)]
      : []),
    number('Quantity', sent.quantity, found.totalQuantity),
    flag('Reduce-only', sent.reduceOnly, found.reduceOnly),
    flag('Post-only', sent.postOnly, found.postOnly),
    // Only if the record has it: a missing field confirms nothing.
    ...carried('Take profit', sent.tpSl?.tpPrice, found.tpSl?.tpPrice),
    ...carried('Stop loss', sent.tpSl?.slPrice, found.tpSl?.slPrice),
  ];
}
