import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TRADING_CODES } from '../../src-shared/exchange-api/error-codes.ts';
import { classifyPost, confirmsRejection, type OrderEndpoint } from './outcome.ts';
import type { WireResult } from './transport.ts';
import type { WireCause } from './wire-cause.ts';
import { wireReply, wireFailure } from '../../tests/exchange/wire-reply.ts';

const quote = (text: string) => text;
const answered = (body: unknown, status = 200): WireResult =>
  wireReply(typeof body === 'string' ? body : JSON.stringify(body), { status });
const lost = (stage: 'before-send' | 'after-send', cause: WireCause): WireResult =>
  wireFailure(cause, { stage, code: 'ECONNRESET' });
const yes = (data: unknown = '734829105569914880') => ({ code: '0', msg: 'success', success: true, data });
const no = (code: string, data: unknown = null) => ({ code, msg: 'no', success: false, data });

const AMBIGUOUS = ['700000', '700008', '700048', '700106'];
const PROOFS = Object.keys(TRADING_CODES).filter((code) => !AMBIGUOUS.includes(code));

describe('the table, row by row', () => {
  const rows: [string, WireResult, string][] = [
    ['a name that is not found', lost('before-send', 'dns'), 'not-sent'],
    ['a refused connection', lost('before-send', 'connect'), 'not-sent'],
    ['a certificate that is not valid', lost('before-send', 'tls'), 'not-sent'],
    ['a reset after the first byte', lost('after-send', 'reset'), 'unknown'],
    ['a time-out', lost('after-send', 'timeout'), 'unknown'],
    ['a cut reply', lost('after-send', 'body'), 'unknown'],
    ['a reply not compressed as it says', lost('after-send', 'encoding'), 'unknown'],
    ['502 with a success', answered(yes(), 502), 'unknown'],
    ['500 with a rejection', answered(no('700017'), 500), 'unknown'],
    ['599 without a body', answered('', 599), 'unknown'],
    ['a page with status 200', answered('<!doctype html><p>ok'), 'unknown'],
    ['an empty 200', answered(''), 'unknown'],
    ['half an envelope', answered('{"code":"0","msg":"","success":true,"da'), 'unknown'],
    [
      'a repeated key',
      answered('{"code":"700017","code":"0","msg":"","success":true,"data":"1"}'),
      'unknown',
    ],
    ['a repeated key, escaped', answered('{"code":"0","\\u0063ode":"700017","success":false}'), 'unknown'],
    ['code 0 without success', answered({ ...yes(), success: false }), 'unknown'],
    ['a rejection code with success', answered({ ...no('700017'), success: true }), 'unknown'],
    ['a rejection code with success and an id', answered({ ...no('700017', '5'), success: true }), 'unknown'],
    ['a rejection that carries an order id', answered(no('700017', '734829105569914880')), 'unknown'],
    ['a code that is a number', answered({ ...yes(), code: 0 }), 'unknown'],
    ['success as text', answered({ ...yes(), success: 'true' }), 'unknown'],
    ['no success', answered({ code: '700017', msg: '' }), 'unknown'],
    ['an id that is a number', answered(yes(123)), 'unknown'],
    ['an id with letters', answered(yes('12a')), 'unknown'],
    ['an id of 0, which names no order', answered(yes('0')), 'unknown'],
    ['no data', answered(yes(null)), 'unknown'],
    ['a redirect with a success', answered(yes(), 307), 'unknown'],
    ['a 400 with a success', answered(yes(), 400), 'unknown'],
    ['an undocumented code', answered(no('700999')), 'unknown'],
    ['500 as a code', answered(no('500')), 'unknown'],
    ['invalid UTF-8', { ...answered(''), body: Buffer.from([0x7b, 0xff, 0x7d]) } as WireResult, 'unknown'],
    ['a success', answered(yes()), 'accepted'],
    ['a success, 201', answered(yes(), 201), 'accepted'],
    ['a success with more in it', answered({ ...yes(), trace: 'x' }), 'accepted'],
    ['a rejection, 200', answered(no('700017')), 'rejected'],
    ['a rejection, 400', answered(no('700017'), 400), 'rejected'],
    ['a code of the connection', answered(no('-2019')), 'rejected'],
  ];
  it.each(rows)('%s', (_name, result, outcome) => {
    expect(classifyPost('placeOrder', result, ['-2019', '0', '500', ...AMBIGUOUS], quote).outcome).toBe(
      outcome,
    );
  });

  it('48 of the 52 codes confirm a rejection, and no setting changes the other four', () => {
    expect(PROOFS).toHaveLength(48);
    for (const code of PROOFS)
      expect(classifyPost('placeOrder', answered(no(code)), [], quote)).toMatchObject({
        outcome: 'rejected',
        code,
      });
    for (const code of AMBIGUOUS) {
      expect(confirmsRejection(code, AMBIGUOUS)).toBe(false);
      expect(classifyPost('placeOrder', answered(no(code)), AMBIGUOUS, quote).outcome).toBe('unknown');
    }
  });

  it('success and a server error confirm no rejection, whatever the connection sets', () => {
    expect(['0', '500', '-2019'].map((code) => confirmsRejection(code, ['0', '500', '-2019']))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('quotes the exchange’s message, unless it is the same', () => {
    const message = (msg: string): unknown => {
      const verdict = classifyPost('placeOrder', answered({ ...no('700017'), msg }), [], quote);
      return 'failure' in verdict ? verdict.failure.message : null;
    };
    expect(message('balance insufficient.')).toBe('Balance insufficient.');
    expect(message('')).toBe('Balance insufficient.');
    expect(message('Lower it')).toBe('Balance insufficient. The exchange says: “Lower it”.');
  });

  it('accepts a batch for true only', () => {
    expect(classifyPost('placeBatch', answered(yes(true)), [], quote)).toEqual({
      outcome: 'accepted',
      data: true,
    });
    for (const data of [false, 'true', 1, null, [true], '5'])
      expect(classifyPost('placeBatch', answered(yes(data)), [], quote).outcome).toBe('unknown');
    expect(classifyPost('placeBatch', answered(no('700017', true)), [], quote).outcome).toBe('unknown');
  });

  it.each(AMBIGUOUS)('%s, which confirms nothing, has its own way out', (code) => {
    const verdict = classifyPost('placeOrder', answered(no(code)), [], quote);
    expect('failure' in verdict && verdict.failure.next).toBe(TRADING_CODES[code]?.next);
    expect(new Set(AMBIGUOUS.map((one) => TRADING_CODES[one]?.next)).size).toBe(4);
  });

  it('a rejected close gets no advice to open a position or to lower a missing quantity', () => {
    const next = (code: string): string => {
      const verdict = classifyPost('placeOrder', answered(no(code)), [], quote);
      return 'failure' in verdict ? verdict.failure.next : '';
    };
    expect(next('700001')).not.toMatch(/without reduce-only/);
    expect(next('700022')).not.toMatch(/lower the quantity/i);
    // An order is not a change of margin, and names no resting orders.
    expect(next('700013')).toMatch(/Lower the quantity/);
    expect(next('700018')).toMatch(/the exchange API does not say which/);
  });

  const CAUSES = [
    'dns',
    'connect',
    'tls',
    'timeout',
    'reset',
    'body',
    'encoding',
    'too-large',
    'cancelled',
  ] as const;
  const failureOf = (
    result: WireResult,
    own: readonly string[] = [],
    endpoint = 'placeOrder' as OrderEndpoint,
  ) => {
    const verdict = classifyPost(endpoint, result, own, quote);
    return 'failure' in verdict ? verdict.failure : null;
  };

  it.each(CAUSES)('says whether anything was sent when it ends by %s', (cause) => {
    expect(failureOf(lost('before-send', cause))).toEqual({
      kind: 'offline',
      message: expect.stringMatching(/^(?:The|No) [a-z ]{10,} \(ECONNRESET\)\. Nothing was sent\.$/),
      next: 'Check the network and the connection, then send it again.',
      ...(cause === 'dns' || cause === 'tls' ? { field: 'baseUrl' } : {}),
    });
    expect(failureOf(lost('after-send', cause))).toEqual({
      kind: 'unknown',
      message: expect.stringMatching(/^(?:The|Waiting) [a-z ]{10,} \(ECONNRESET\)\.$/),
      next: expect.stringContaining('Do not send it again'),
    });
    const silent = { ...lost('after-send', cause), code: '', status: 200 } as WireResult;
    expect(failureOf(silent)).toMatchObject({ status: 200, message: expect.stringMatching(/[a-z]\.$/) });
    const unsent = { ...lost('before-send', cause), code: '' } as WireResult;
    expect(failureOf(unsent)?.message).toMatch(/[a-z]\. Nothing was sent\.$/);
  });

  it('says what of a reply confirms nothing', () => {
    const next = expect.stringContaining('Do not send it again');
    const of = (message: string, status = 200, code?: string) => ({
      kind: 'unknown',
      message: expect.stringContaining(message),
      next,
      status,
      ...(code === undefined ? {} : { code }),
    });
    expect(failureOf(answered(yes(null)))).toEqual(of('“success” without the data that confirms it'));
    expect(failureOf(answered(yes(), 307))).toEqual(of('HTTP status 307, which contradicts it', 307));
    expect(failureOf(answered(yes(), 199))).toEqual(of('HTTP status 199, which contradicts it', 199));
    expect(failureOf(answered(yes(), 300))).toEqual(of('HTTP status 300, which contradicts it', 300));
    expect(failureOf(answered(''))).toEqual(of('The exchange sent an empty reply.'));
    expect(failureOf(answered({ ...yes(), code: 0 }))).toEqual(of('sent a reply without a valid “code”.'));
    for (const status of [199, 300, 401, 418, 429])
      expect(failureOf(answered('', status))).toEqual(of(`an empty reply (HTTP ${status}).`, status));
    expect(failureOf(answered(no('700017', '5')))).toEqual(
      of('a rejection that includes an order ID', 200, '700017'),
    );
    expect(failureOf(answered(no('700999')))).toEqual(
      of('code 700999 (no), which does not confirm', 200, '700999'),
    );
    expect(failureOf(answered({ ...no('700999'), msg: '' }))).toEqual(
      of('code 700999, which does', 200, '700999'),
    );
    // A gateway may reply in place of the exchange, so the text says nothing of what arrived there.
    expect(failureOf(answered(no('700017'), 502))).toEqual(
      of('server error (HTTP 502), which does not confirm', 502, '700017'),
    );
    // Any text may be in a gateway's page, so only digits are shown of its code.
    for (const code of ['5 7', 'x5', '5x', '1234567890'])
      expect(failureOf(answered(no(code), 502))).toEqual(of('server error (HTTP 502)', 502));
    expect(failureOf(answered(no('-12'), 500))).toEqual(of('server error (HTTP 500)', 500, '-12'));
  });

  it('takes an id of 20 digits at most, and the 0 of a rejection for none', () => {
    const outcomeOf = (body: unknown) => classifyPost('placeOrder', answered(body), [], quote).outcome;
    expect(outcomeOf(yes('9'.repeat(20)))).toBe('accepted');
    for (const id of ['', '9'.repeat(21), '5 ', 'a5', '-5']) expect(outcomeOf(yes(id))).toBe('unknown');
    expect(outcomeOf(no('700017', '0'))).toBe('rejected');
  });

  it('says of a code set in the connection where it comes from, and of a batch that rows may be placed', () => {
    expect(failureOf(answered(no('-2019')), ['-2019'])).toEqual({
      kind: 'rejected',
      message: 'Rejected with an error code set in this connection. The exchange says: “no”.',
      next: expect.stringContaining('“Error codes that mean rejected”'),
      field: 'order',
      code: '-2019',
      status: 200,
    });
    const batch = failureOf(answered(no('700017')), [], 'placeBatch');
    expect(batch?.message).toMatch(/single rows may still have been placed\.$/);
    // To lower the quantity and send again at once could place a row twice.
    expect(batch?.next).toBe(
      'Wait until Ballast has found which were. Lower the quantity or free some margin.',
    );
    const order = failureOf(answered(no('700017')));
    expect(order?.message).not.toMatch(/batch/);
    expect(order?.next).toBe('Lower the quantity or free some margin.');
  });

  it('returns field and next step of a rejection', () => {
    expect(classifyPost('placeOrder', answered(no('700060')), [], quote)).toMatchObject({
      failure: {
        kind: 'rejected',
        field: 'quantity',
        code: '700060',
        message: expect.stringContaining('minimum'),
      },
    });
  });
});

/** What really happened, and a reply that an honest exchange behind a bad network may give. */
interface History {
  readonly placed: boolean;
  readonly result: WireResult;
}
const ID = '734829105569914880';
const honest = (placed: boolean, code: string) => (placed ? yes(ID) : no(code));

const histories: fc.Arbitrary<History> = fc
  .record({
    placed: fc.boolean(),
    code: fc.constantFrom(...PROOFS, '-2019'),
    vague: fc.constantFrom(...AMBIGUOUS, '500', '429', '999999'),
    badStatus: fc.integer({ min: 500, max: 599 }),
    okStatus: fc.constantFrom(200, 201, 204, 301, 308, 400, 401, 408, 418, 429, 451),
    cut: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    cause: fc.constantFrom<WireCause>('dns', 'connect', 'tls', 'timeout', 'reset', 'body', 'cancelled'),
    junk: fc.oneof(fc.string(), fc.json(), fc.constantFrom('<html></html>', 'null', '[]', '{}', '"0"')),
    how: fc.constantFrom('honest', 'vague', '5xx', 'cut', 'transport', 'junk', 'doubled', 'mixed', 'typed'),
    first: fc.boolean(),
  })
  .map((x) => {
    const { placed } = x;
    const honestReply = honest(placed, x.code);
    const lie = honest(!placed, x.code);
    const text = JSON.stringify(honestReply);
    const answers: Record<typeof x.how, () => WireResult> = {
      honest: () => answered(honestReply, placed ? 200 : x.okStatus),
      vague: () => answered(no(x.vague), x.okStatus),
      // A gateway may send any body with a 5xx.
      '5xx': () => answered(x.first ? honestReply : lie, x.badStatus),
      cut: () => answered(text.slice(0, Math.floor(text.length * x.cut)), x.okStatus),
      transport: () => lost(placed ? 'after-send' : x.first ? 'before-send' : 'after-send', x.cause),
      junk: () => answered(x.junk, x.okStatus),
      doubled: () => {
        const other = JSON.stringify(lie).slice(1, -1);
        const own = text.slice(1, -1);
        return answered(`{${x.first ? `${other},${own}` : `${own},${other}`}}`, x.okStatus);
      },
      mixed: () =>
        answered(
          { ...honestReply, ...(x.first ? { success: lie.success } : { code: lie.code }) },
          x.okStatus,
        ),
      typed: () => answered({ ...honestReply, code: x.first ? 0 : null, data: 5 }, x.okStatus),
    };
    return { placed, result: answers[x.how]() };
  });

describe('the model against the truth', () => {
  it('never reports a placed order as rejected or not sent, nor another one as accepted', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(histories, ({ placed, result }) => {
        const verdict = classifyPost('placeOrder', result, ['-2019'], quote);
        seen.set(verdict.outcome, (seen.get(verdict.outcome) ?? 0) + 1);
        if (verdict.outcome === 'accepted') return placed && verdict.data === ID;
        return verdict.outcome === 'unknown' || !placed;
      }),
      { numRuns: 20_000 },
    );
    // The property alone would hold if every outcome were unknown.
    for (const outcome of ['accepted', 'rejected', 'not-sent', 'unknown'])
      expect(seen.get(outcome) ?? 0).toBeGreaterThan(500);
  });
});
