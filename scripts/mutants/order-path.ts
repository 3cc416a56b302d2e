/** Lines of the order path: sent once, written down first, never called more than is proven. */
import { of, type Mutant } from './mutant.ts';

const EXCHANGE = 'src-main/exchange';
const ORDERS = 'src-main/orders';

export const ORDER_PATH: readonly Mutant[] = [
  ...of(
    `${EXCHANGE}/transport.ts`,
    [`${EXCHANGE}/transport.test.ts`],

    ['a redirect is never followed', 'followRedirect: false', 'followRedirect: true'],
    [
      'a reused connection counts as sent',
      'if (request.reusedSocket || !opening) sending.sent = true;',
      'if (false) sending.sent = true;',
    ],
    ['a reply is bounded', 'if (size <= maxReplyBytes)', 'if (size >= 0)'],
    [
      'a slow answer ends',
      "request: request.method === 'POST' ? timeouts.order : timeouts.read",
      'request: 60_000',
    ],
  ),
  // got repeats a stream only for who listens for it: the lint rule is what sees this one.
  ...of(
    `${EXCHANGE}/transport.ts`,
    ['scripts/house-rules.test.ts'],
    ['a request is never repeated', 'retry: { limit: 0 }', 'retry: { limit: 2 }'],
  ),
  ...of(
    `${EXCHANGE}/outcome.ts`,
    [`${EXCHANGE}/outcome.test.ts`, 'tests/exchange/fuzz.test.ts'],
    ['not sent needs proof', "answer.stage === 'before-send'", "answer.stage !== 'x'"],
    [
      '5xx proves nothing',
      'if (answer.status >= 500) return unknown',
      'if (answer.status >= 600) return unknown',
    ],
    [
      'a success is a 2xx',
      'answer.status >= 200 && answer.status < 300 && accepted !== null',
      'accepted !== null',
    ],
    [
      'a repeated key decides nothing',
      'const envelope = readBody(answer.body, parseStrict);\n  if',
      'const envelope = readBody(answer.body, (text) => JSON.parse(text));\n  if',
    ],
    ['a code must prove the refusal', "return known.proves === 'refused'", 'return true'],
    ['a refusal with an order is none', "if (accepted !== null && accepted !== '0')", 'if (false)'],
    ['an order id is digits', 'const ORDER_ID = /^\\d{1,20}$/', 'const ORDER_ID = /\\d/'],
  ),
  ...of(
    `${EXCHANGE}/reply-text.ts`,
    [`${EXCHANGE}/outcome.test.ts`, 'tests/exchange/fuzz.test.ts', `${EXCHANGE}/reply-size.test.ts`],
    ['yes and no is neither', 'if (envelope.success !== isSuccess(envelope)', 'if (false'],
    ['broken UTF-8 is not read', '{ fatal: true }', '{ fatal: false }'],
    [
      'a credential is not echoed',
      "out = out.replaceAll(one, '[removed]')",
      'out = out.replaceAll(one, one)',
    ],
    ['a bloated reply is not parsed', 'if (isBloated(body))', 'if (false)'],
  ),
  ...of(
    `${EXCHANGE}/order-body.ts`,
    [`${EXCHANGE}/order-body.test.ts`],
    ['a lost quantity is no close-all', 'if (Object.hasOwn(source, name)) throw', 'if (false) throw'],
    ['a close-all is reduce-only', 'if (order.reduceOnly !== true)', 'if (false)'],
    ['a close-all has no quantity', "if (Object.hasOwn(order, 'quantity'))", 'if (false)'],
    ['an order has a quantity above 0', 'if (!(quantity > 0))', 'if (false)'],
  ),
  ...of(
    `${EXCHANGE}/address.ts`,
    [`${EXCHANGE}/address.test.ts`],
    ['what is signed is what is sent', 'if (url.pathname + url.search !== target)', 'if (false)'],
  ),
  ...of(
    `${EXCHANGE}/one-at-a-time.ts`,
    [`${EXCHANGE}/one-at-a-time.test.ts`],
    ['one read of a resource in flight', 'last.then(() => read(...input))', 'read(...input)'],
  ),
  ...of(
    `${ORDERS}/tokens.ts`,
    [`${ORDERS}/tokens.test.ts`],
    [
      'a token is spent before anything is awaited',
      '      open.delete(token);\n      return found',
      '      return found',
    ],
    ['a token expires', 'found === undefined || found.expiresAt <= now()', 'found === undefined'],
  ),
  ...of(
    `${ORDERS}/desk.ts`,
    [`${ORDERS}/desk.test.ts`],
    ['no record, no send', 'if (!recorded.ok) return recorded;', ''],
    [
      'the lock is asked again at the send',
      'if (refused !== null) return failed(refused);\n      const { symbolId, side }',
      'const { symbolId, side }',
    ],
    ['an unknown order holds its symbol', 'if (release !== symbolId && holding', 'if (false && holding'],
    ['one order of a symbol at a time', 'if (lanes.take(connectionId, [symbolId]) !== null)', 'if (false)'],
    ['a crash while sending is unknown', "const lost = ids('sending');", "const lost = ids('closed');"],
  ),
  ...of(
    `${ORDERS}/refusals.ts`,
    [`${ORDERS}/desk.test.ts`],
    ['a locked app sends nothing', 'if (locked)', 'if (false)'],
    ['read-only sends nothing', 'if (summary.settings.readOnly)', 'if (false)'],
    ['an unproven connection sends nothing', 'if (!summary.proven)', 'if (false)'],
  ),
  ...of(
    `${ORDERS}/journal-file.ts`,
    [`${ORDERS}/journal-file.test.ts`],
    [
      'the journal is on disk before the send',
      "await handle.writeFile(text, 'utf8');\n          await handle.sync();",
      "await handle.writeFile(text, 'utf8');",
    ],
    [
      'a failed append leaves no line',
      'await handle.truncate(size)',
      'await handle.truncate(size + text.length)',
    ],
  ),
  ...of(
    'src-shared/domain/matching.ts',
    ['src-shared/domain/matching.test.ts'],
    ['an order after the window is a stranger’s', 'order.createdAt <= window.to', 'order.createdAt >= 0'],
    ['an order before the window is a stranger’s', 'order.createdAt >= window.from', 'order.createdAt >= 0'],
    ['another’s order is not taken', '!ruledOut.has(order.orderId) &&', ''],
    ['more orders than requests is ambiguous', 'orders.size !== twins', 'orders.size < twins'],
    ['half a list proves nothing', 'if (!unknown.every((one) => one.readWhole) ||', 'if ('],
    ['a side is a side', 'order.side === request.side &&', ''],
  ),
];
