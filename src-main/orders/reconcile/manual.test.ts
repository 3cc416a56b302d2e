import { describe, expect, it } from 'vitest';
import { seenOrders } from '../../../src-shared/domain/reconcile/listed-orders.ts';
import { openOrder } from '../../../tests/domain/order-samples.ts';
import { fixture, intent, lost, token, type Fixture } from '../../../tests/orders/scripted-order-service.ts';
import { dataOf } from '../../../tests/shared/data-of.ts';

const SYMBOL = 'BTC-USDT-M';
const outdated = (message: string) => ({
  failure: { kind: 'blocked', field: 'order', message, next: 'Check Activity.' },
});
const MISTYPED = {
  failure: {
    kind: 'blocked',
    field: 'typed',
    message: '“BTC” is not BTC-USDT-M.',
    next: 'Type BTC-USDT-M exactly.',
  },
};
const UNWRITTEN = {
  failure: {
    kind: 'file',
    message: expect.stringContaining('Nothing has changed'),
    next: expect.stringContaining('disk'),
  },
};

/** An order of unknown outcome with the candidates 7 and 8. */
async function unknown(): Promise<Fixture & { id: string }> {
  const b = await fixture();
  return Object.assign(b, { id: await lose(b) });
}
async function lose(b: Fixture): Promise<string> {
  b.answers = [lost];
  const sent = dataOf(await b.orders.send(token(b.orders, intent()), SYMBOL));
  const { id } = sent;
  const listed = ['7', '8'].map((orderId) => openOrder({ orderId }));
  const candidates = [...seenOrders(listed, []).values()];
  const check = { round: 1, at: 1, since: 0, reads: [], candidates, hints: [], nextAt: null };
  await b.journal.write(id, [
    { event: 'check', text: 'Round 1', at: 1, mono: 1, check: { ...check, verdict: 'ambiguous' } },
  ]);
  return id;
}

describe('matching by the user', () => {
  it('takes one of the candidates, with the symbol typed', async () => {
    const b = await unknown();
    const { decisions } = b.orders;
    expect(await decisions.match(b.id, '7', 'BTC')).toEqual({ ok: false, ...MISTYPED });
    expect(await decisions.match(b.id, '9', SYMBOL)).toEqual({
      ok: false,
      failure: {
        kind: 'blocked',
        field: 'order',
        message: 'Order 9 does not match this request.',
        next: 'Choose a listed order.',
      },
    });
    expect(b.journal.get(b.id)?.state).toBe('unknown');
    expect(await decisions.match(b.id, '7', SYMBOL)).toMatchObject({
      data: { state: 'matched-by-user', orderId: '7' },
    });
    expect(b.reports.at(-1)?.events.at(-1)?.text).toBe('Matched by you with order 7');
    const again = 'Only an order with an unknown outcome can be matched.';
    expect(await decisions.match(b.id, '8', SYMBOL)).toMatchObject(outdated(again));
    expect(await decisions.match('none', '8', SYMBOL)).toMatchObject(outdated(again));
  });

  it('does not take the order of another request', async () => {
    const b = await unknown();
    const second = await lose(b);
    await b.orders.decisions.match(b.id, '7', SYMBOL);
    expect(await b.orders.decisions.match(second, '7', SYMBOL)).toEqual({
      ok: false,
      failure: {
        kind: 'blocked',
        field: 'order',
        message: 'Order 7 already belongs to another request.',
        next: 'Choose another order.',
      },
    });
    expect(await b.orders.decisions.match(second, '8', SYMBOL)).toMatchObject({ ok: true });
  });

  it('takes a candidate that a later round did not list any more', async () => {
    const b = await unknown();
    const later = { round: 2, at: 2, since: 0, reads: [], candidates: [], hints: [], nextAt: null };
    await b.journal.write(b.id, [
      { event: 'check', text: 'Round 2', at: 2, mono: 2, check: { ...later, verdict: 'absent' } },
    ]);
    expect(await b.orders.decisions.match(b.id, '7', SYMBOL)).toMatchObject({ ok: true });
  });

  it('does not take an order whose match was undone, and does not blame the disk', async () => {
    const b = await unknown();
    await b.journal.write(b.id, [{ event: 'land', text: 'Found', at: 2, mono: 2, orderId: '7' }]);
    await b.orders.decisions.unmatch(b.id, SYMBOL);
    expect(await b.orders.decisions.match(b.id, '7', SYMBOL)).toMatchObject({
      failure: { kind: 'blocked', message: 'Order 7 does not match this request.' },
    });
    expect(await b.orders.decisions.match(b.id, '8', SYMBOL)).toMatchObject({ ok: true });
  });

  it('takes an order for one of two requests that choose it at once', async () => {
    const b = await unknown();
    const second = await lose(b);
    const both = [b.id, second].map((id) => b.orders.decisions.match(id, '7', SYMBOL));
    expect(await Promise.all(both)).toMatchObject([
      { ok: true },
      { failure: { kind: 'blocked', message: 'Order 7 already belongs to another request.' } },
    ]);
  });

  it('does not match what was never checked', async () => {
    const b = await fixture();
    b.answers = [lost];
    const sent = await b.orders.send(token(b.orders, intent()), null);
    expect(await b.orders.decisions.match(sent.ok ? sent.data.id : '', '7', SYMBOL)).toMatchObject({
      failure: { message: 'Order 7 does not match this request.' },
    });
  });
});

describe('undoing a match', () => {
  it('is for a match by Ballast only, with the symbol typed', async () => {
    const b = await unknown();
    const { decisions } = b.orders;
    const never = outdated('Only a match made by Ballast can be undone.');
    expect(await decisions.unmatch(b.id, SYMBOL)).toMatchObject(never);
    expect(await decisions.unmatch('none', SYMBOL)).toMatchObject(never);
    await b.journal.write(b.id, [{ event: 'land', text: 'Found', at: 2, mono: 2, orderId: '7' }]);
    expect(await decisions.unmatch(b.id, 'BTC')).toEqual({ ok: false, ...MISTYPED });
    expect(await decisions.unmatch(b.id, SYMBOL)).toMatchObject({
      data: { state: 'unknown', orderId: null, disowned: ['7'] },
    });
    expect(b.reports.at(-1)?.events.at(-1)?.text).toBe('Match with order 7 undone by you');
  });
});

describe('dismissing', () => {
  it('is reported, and says what was wrong', async () => {
    const b = await unknown();
    const { decisions } = b.orders;
    expect(await decisions.dismiss(b.id, 'BTC')).toEqual({ ok: false, ...MISTYPED });
    b.file.full = true;
    expect(await decisions.dismiss(b.id, SYMBOL)).toMatchObject(UNWRITTEN);
    expect(b.journal.get(b.id)?.state).toBe('unknown');
    b.file.full = false;
    await decisions.dismiss(b.id, SYMBOL);
    expect(b.reports.at(-1)?.events.at(-1)?.text).toBe('Dismissed by you');
    expect(await decisions.dismiss(b.id, SYMBOL)).toMatchObject(
      outdated('Only an order with an unknown outcome can be dismissed.'),
    );
  });

  it('says that the outcome became known in the same moment', async () => {
    const b = await unknown();
    const found = b.journal.write(b.id, [{ event: 'land', text: 'Found', at: 2, mono: 2, orderId: '7' }]);
    const dismissed = b.orders.decisions.dismiss(b.id, SYMBOL);
    await found;
    expect(await dismissed).toMatchObject(outdated('Its outcome has become known in the meantime.'));
  });
});

describe('acknowledging damage', () => {
  it('says what to type, and that nothing changed if it cannot be written', async () => {
    const first = await unknown();
    const b = await fixture(first.file.text.replace('"v":1', '"v":x'));
    const { decisions } = b.orders;
    const [damage] = b.journal.allDamage();
    const id = damage?.id ?? '';
    expect(await decisions.acknowledge(id, 'BTC')).toEqual({ ok: false, ...MISTYPED });
    expect(await decisions.acknowledge('none', SYMBOL)).toMatchObject(
      outdated('This damaged line was already acknowledged.'),
    );
    b.file.full = true;
    expect(await decisions.acknowledge(id, SYMBOL)).toMatchObject(UNWRITTEN);
    expect(b.journal.allDamage()).toHaveLength(1);
    b.file.full = false;
    expect(await decisions.acknowledge(id, SYMBOL)).toEqual({ ok: true, data: null });
  });
});
