/**
 * Validates an order request's shape in the main process, whatever the window checked before. The window's checks
 * explain more; these cannot be skipped.
 */
import { amount, isPositive } from '../../../src-shared/amount.ts';
import type { ConnectionSummary } from '../../../src-shared/ipc/connections.ts';
import { denied, type Failure } from '../../../src-shared/ipc/failures.ts';
import type { OrderIntent } from '../../../src-shared/ipc/orders.ts';
import { TRIGGER_TYPE } from '../../../src-shared/exchange-api/enums.ts';

/** Returns the first fault, with the exchange's code for the same error, or null. */
export function requestFault(
  intent: OrderIntent,
  connection: ConnectionSummary,
  contracts: ReadonlySet<string> | null,
): Failure | null {
  const { request, kind } = intent;
  if (contracts !== null && !contracts.has(request.symbolId))
    return denied(
      `${request.symbolId} is not in the exchange’s configuration.`,
      'Choose a listed contract.',
      'symbolId',
      '700041',
    );

  if (kind === 'close-all') {
    if (request.reduceOnly !== true || request.quantity !== undefined || request.reverseOrder === true)
      return denied(
        'An order that closes a whole position must be reduce-only and have no quantity.',
        'Close it from Positions.',
        'quantity',
        '700012',
      );
  } else if (request.quantity === undefined) {
    return denied('The order has no quantity.', 'Enter a quantity above 0.', 'quantity', '700004');
  } else if (!isPositive(amount(request.quantity))) {
    return denied(
      `The quantity ${request.quantity} is not above 0.`,
      'Enter a quantity above 0.',
      'quantity',
      '700012',
    );
  }

  if (request.type === 'LIMIT') {
    if (request.price === undefined)
      return denied('A limit order needs a price.', 'Enter a price above 0.', 'price', '700004');
    if (!isPositive(amount(request.price)))
      return denied(
        `The price ${request.price} is not above 0.`,
        'Enter a price above 0.',
        'price',
        '700011',
      );
    if (request.timeInForce === undefined)
      return denied('A limit order needs a time in force.', 'Choose GTC, IOC or FOK.', 'order', '700009');
  } else if (request.price !== undefined) {
    return denied('A market order has no price.', 'Choose Limit to set a price.', 'price', '700009');
  }
  if (request.postOnly === true && (request.type !== 'LIMIT' || request.timeInForce !== 'GTC'))
    return denied(
      'Post-only requires a GTC limit order.',
      'Turn post-only off, or choose Limit and GTC.',
      'order',
      '700009',
    );
  return reverseFault(intent, connection) ?? tpSlFault(intent, connection);
}

function reverseFault({ request }: OrderIntent, connection: ConnectionSummary): Failure | null {
  if (request.reverseOrder !== true) return null;
  if (request.reduceOnly === true)
    return denied('An order cannot be both reverse and reduce-only.', 'Choose one.', 'order', '700009');
  if (connection.kind === 'live' && connection.settings.reverseQuantity === 'unset')
    return denied(
      'The exchange API does not define the quantity of a reverse order.',
      'Ask the exchange, then set it in the connection’s settings.',
      'order',
    );
  return null;
}

function tpSlFault({ request }: OrderIntent, connection: ConnectionSummary): Failure | null {
  const { tpSl } = request;
  if (tpSl === undefined) return null;
  if (request.reduceOnly === true)
    return denied(
      'Take-profit and stop-loss require an opening order.',
      'Turn off reduce-only or TP/SL.',
      'tpSl',
      '700009',
    );
  const known = new Set([...Object.keys(TRIGGER_TYPE), ...connection.settings.triggerTypes]);
  for (const [type, price, field] of [
    [tpSl.tpTriggerType, tpSl.tpPrice, 'tpPrice'],
    [tpSl.slTriggerType, tpSl.slPrice, 'slPrice'],
  ] as const) {
    if (!known.has(type))
      return denied(
        `The trigger type ${type} is not set for this connection.`,
        'Add it in the connection’s settings.',
        'tpSl',
        '700009',
      );
    if ((type === 'NONE') !== (price === undefined))
      return denied(
        type === 'NONE'
          ? 'TP/SL has a trigger price but no trigger type.'
          : 'TP/SL has a trigger type but no trigger price.',
        'Set both, or neither.',
        field,
        '700009',
      );
  }
  if (tpSl.tpTriggerType === 'NONE' && tpSl.slTriggerType === 'NONE')
    return denied(
      'Neither take-profit nor stop-loss is set.',
      'Enter a take-profit or a stop-loss, or turn TP/SL off.',
      'tpSl',
      '700042',
    );
  return null;
}
