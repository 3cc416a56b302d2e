import { describe, expect, it } from 'vitest';
import { pass, unsure, warn, fail } from '../../../src-shared/domain/order/check.ts';
import { previewOrder } from '../../../src-shared/domain/order/preview.ts';
import type { OrderRequest } from '../../../src-shared/exchange-api/order-request.ts';
import { context, position, account, asset } from '../../../tests/domain/order-samples.ts';
import { referenceHelp, referenceSource } from '../../text/reference-text.ts';
import { beforeAfter, riskRows, sizeRow } from '../../components/order/order-changes.ts';
import { checksText } from './checks-text.ts';
import { triggerLabels } from '../../text/trigger-text.ts';

const name = { id: 'a', code: null, field: 'size' } as const;

describe('the summary of the checks', () => {
  it('is green only if all of them pass', () => {
    expect(checksText([pass(name, ''), pass(name, '')])).toEqual({ text: '2 of 2 pass', tone: 'ok' });
    expect(checksText([pass(name, ''), unsure(name, '')])).toEqual({ text: '1 of 2 pass', tone: 't2' });
    expect(checksText([pass(name, ''), warn(name, '')])).toEqual({ text: '1 of 2 pass', tone: 'warn' });
  });
  it('has the worst grade', () => {
    const danger = { ...warn(name, ''), danger: true } as const;
    expect(checksText([pass(name, ''), warn(name, ''), danger])).toEqual({
      text: '1 danger, 1 pass',
      tone: 'danger',
    });
    expect(checksText([fail(name, ''), danger, danger, pass(name, '')])).toEqual({
      text: '1 to fix, 2 dangers, 1 pass',
      tone: 'danger',
    });
  });
});

it('the field for a reference price says which price is missing', () => {
  const fill = { price: '0.15', source: 'own-trade', at: 1 } as const;
  expect(referenceHelp(null, false, 60)).toMatch(
    /^No price is known\. The exchange API gives prices only with/,
  );
  expect(referenceHelp(fill, true, 90)).toMatch(/^The latest price is older than 90 s\. The exchange API /);
  for (const [limit, lasts] of [
    [30, 30],
    [60, 60],
    [300, 60],
  ] as const)
    expect(referenceHelp(fill, false, limit)).toMatch(
      new RegExp(`^The price you type is used .* for ${lasts} s\\. It is not sent\\.$`),
    );
});

it('says why there is no market price, what is used instead and how old it is', () => {
  const contract = { symbolId: 'DOGE-USDT-M', held: false };
  const fill = { price: '0.15', source: 'own-trade', at: 0 } as const;
  expect(referenceSource(contract, fill, 28_537_000)).toBe(
    'The exchange API gives prices only with positions and with your own fills. You hold no position in ' +
      'DOGE-USDT-M. Ballast uses 0.15 of your last fill, 7 h 55 min ago. Previews and your limits are measured from it.',
  );
  expect(referenceSource(contract, { ...fill, source: 'typed' }, 5_000)).toContain(
    '0.15, which you typed 5 s',
  );
  expect(referenceSource(contract, null, 0)).toContain('No fill of yours is known either');
  expect(referenceSource({ ...contract, held: true }, fill, 0)).not.toContain('You hold no');
});

describe('before and after', () => {
  const order = (changes: Partial<OrderRequest> = {}): OrderRequest => ({
    symbolId: 'BTC-USDT-M',
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    quantity: '0.500',
    price: '96000.0',
    reduceOnly: false,
    postOnly: false,
    ...changes,
  });
  const held = context({ account: account([position()], [asset()]) });
  const of = (changes: Partial<OrderRequest>, where = held, wide = false) => {
    const result = previewOrder(order(changes), where);
    if (!result.ok) throw new Error(result.reason);
    return beforeAfter(result.preview, wide);
  };

  it('lists what changes, and what stays the same in one line', () => {
    const { changes, same } = of({});
    expect(changes[0]).toEqual({
      label: 'Size',
      before: '2.000',
      after: '2.500',
      unit: 'BTC',
      exact: true,
    });
    expect(changes.map((one) => one.label)).not.toContain('Risk tier');
    expect(same).toContain('risk tier 1 · 0.50%');
    expect(same.at(-1)).toBe('20× cross');
  });
  it('keeps the name of a coin in capitals', () => {
    expect(of({ quantity: '0.001' }).same).toContainEqual(expect.stringMatching(/^USDT cross ratio /));
  });
  it('shows the ratio of an isolated position first, as the ticket does before there is an order', () => {
    const isolated = context({ account: account([position({ marginMode: 'ISOLATED' })], [asset()]) });
    const labels = of({}, isolated).changes.map((one) => one.label);
    expect(labels.filter((one) => one.includes('ratio'))).toEqual([
      'Margin ratio, isolated',
      'USDT cross ratio',
    ]);
    const closed = of({ side: 'SELL', quantity: '2.000', reduceOnly: true }, isolated).changes;
    expect(closed.find((one) => one.label === 'Margin ratio, isolated')).toMatchObject({
      before: '7.90%',
      after: '—',
    });
  });
  it('marks a higher tier and a reversed side', () => {
    const { changes } = of({ quantity: '3.000' });
    expect(changes.find((one) => one.label === 'Risk tier')).toMatchObject({
      before: '1 · 0.50%',
      after: '▲ 2 · 1.00%',
      tone: 'warn',
    });
    expect(of({ side: 'SELL', quantity: '3.000' }).changes[0]).toMatchObject({
      before: 'Long 2.000',
      after: 'Short 1.000',
      tone: 'warn',
    });
  });
  it('shows — for what ends with the position, and a reason for what is unknown', () => {
    const closed = of({ side: 'SELL', quantity: '2.000', reduceOnly: true }).changes;
    expect(closed[0]).toMatchObject({ after: '0' });
    expect(closed.find((one) => one.label === 'Liquidation')).toMatchObject({
      before: '60,000.0',
      after: '—',
    });
    const unread = of({}, { ...held, marginUnit: null });
    expect(unread.changes.find((one) => one.label === 'USDT cross ratio')).toMatchObject({ before: null });
  });
  it('states the position as a multiple of its coin’s equity where the size is one', () => {
    const result = previewOrder(order(), held);
    if (!result.ok) throw new Error(result.reason);
    const row = (byEquity: boolean) =>
      beforeAfter(result.preview, false, byEquity).changes.find(({ label }) => label === 'Times USDT equity');
    expect(row(false)).toBeUndefined();
    expect(row(true)).toEqual({
      label: 'Times USDT equity',
      before: '1.87×',
      estimatedBefore: true,
      after: '2.33×',
    });
  });
  it('shows the exchange’s liquidation price as received, and Ballast’s with the mark’s decimals', () => {
    const exact = context({ account: account([position({ liquidPrice: '60000.123456' })], [asset()]) });
    expect(of({}, exact).changes.find((one) => one.label === 'Liquidation')).toMatchObject({
      before: '60,000.123456',
      after: expect.stringMatching(/^[\d,]+\.\d$/) as unknown,
    });
  });
  it('colours the distance that an order only closing leaves if it is a danger, not as a caution', () => {
    const tones = (side: 'BUY' | 'SELL', margin: string) => {
      const isolated = position({ marginMode: 'ISOLATED', margin });
      const where = context({ account: account([isolated], [asset()]) });
      const result = previewOrder(order({ side, reduceOnly: side === 'SELL' }), where);
      if (!result.ok) throw new Error(result.reason);
      const rows = riskRows(result.preview);
      return ['Liquidation', 'Distance'].map((label) => rows.find((one) => one.label === label)?.tone);
    };
    expect(tones('BUY', '10000.00')).toEqual(['warn', 'warn']);
    expect(tones('SELL', '10000.00')).toEqual(['', '']);
    expect(tones('SELL', '4000.00')).toEqual(['danger', 'danger']);
  });
  it('names the side of the position in a sheet, which stands alone', () => {
    const result = previewOrder(order(), held);
    if (!result.ok) throw new Error(result.reason);
    expect(sizeRow(result.preview, true)).toMatchObject({
      label: 'Position',
      before: 'Long 2.000',
      after: 'Long 2.500',
      unit: 'BTC',
    });
  });
  it('has more figures where there is space, and marks what Ballast calculates before the order too', () => {
    const { changes } = of({}, held, true);
    const marks = ['Average entry', 'Value, USDT', 'Maintenance, USDT', 'Times USDT equity'].map(
      (label) => changes.find((one) => one.label === label)?.estimatedBefore,
    );
    expect(marks).toEqual([undefined, true, true, true]);
  });
});

it('names trigger types as the exchange does', () => {
  expect(triggerLabels(['MARK_PRICE', 'LAST_PRICE', 'INDEX'])).toEqual(['Mark', 'Last', 'Index']);
  // Two types that would read the same stay as received.
  expect(triggerLabels(['MARK_PRICE', 'MARK'])).toEqual(['MARK_PRICE', 'MARK']);
});
