import { describe, expect, it } from 'vitest';
import { blockedFailure, failed } from '../../../src-shared/ipc/failures.ts';
import { done } from '../../../src-shared/ipc/failures.ts';
import { account, asset, NOW, position } from '../../../tests/domain/order-samples.ts';
import { NO_DAY_LIMITS } from '../../../tests/renderer/day-state.ts';
import { fixture, record, settled } from '../../../tests/renderer/app-fixture.ts';

async function filled(kind: 'live' | 'practice' = 'live', replies = {}) {
  const all = await fixture(kind, replies);
  const { ticket, navigation } = all.app;
  navigation.symbol = 'BTC-USDT-M';
  ticket.fields.price = '97000.0';
  ticket.fields.size = '0.100';
  return { ...all, ticket };
}

describe('the ticket', () => {
  it('says in its button what is missing, then what it would send', async () => {
    const { app } = await fixture();
    const { ticket } = app;
    expect(ticket.missing).toBe('Choose a contract');
    app.navigation.symbol = 'BTC-USDT-M';
    expect([ticket.missing, ticket.missingAt]).toEqual(['Enter a price', 'price']);
    ticket.fields.size = '1,5';
    expect([ticket.missing, ticket.missingAt]).toEqual(['Fix the size to continue', 'size']);
    expect(ticket.messageAt('price')).toBeNull();
    ticket.fields.size = '';
    ticket.fields.price = '97000';
    expect([ticket.missing, ticket.missingAt]).toEqual(['Enter a size', 'size']);
    ticket.fields.size = '1,5';
    expect(ticket.missing).toBe('Fix the size to continue');
    expect(ticket.messageAt('size')).toMatchObject({ tone: 'error', suggestion: { value: '1.5' } });
    ticket.fields.size = '0.1';
    expect([ticket.missing, ticket.missingAt]).toEqual([null, null]);
    expect(ticket.ready).toBe(true);
  });

  it('says that a daily limit is reached, and closes all the same', async () => {
    const { ticket, app, push } = await filled();
    const met = { ...NO_DAY_LIMITS, limits: { loss: { amount: '5', coin: 'USDT' }, orders: null } };
    push('day', { ...met, connectionId: 'live-2', result: '-6' });
    expect(ticket.ready).toBe(true);
    push('day', { ...met, result: '-6' });
    expect([ticket.missing, ticket.missingAt]).toEqual(['A daily limit is reached', 'account']);
    ticket.fields.side = 'SELL';
    ticket.fields.reduceOnly = true;
    expect(ticket.missing).toBeNull();
    ticket.fields.reduceOnly = false;
    ticket.fields.side = 'BUY';
    push('day', { ...met, unknown: 'Order history is out of date.' });
    expect(ticket.ready).toBe(true);
    expect(app.day.state?.unknown).not.toBeNull();
  });

  it('lists its checks the worst first, and a limit that crosses before other warnings', async () => {
    const { ticket, accountIs } = await filled();
    // Little equity: a danger that is computed after every rule.
    accountIs(account([position()], [asset({ balance: '1500', available: '0', locked: '0' })]));
    Object.assign(ticket.fields, { price: '98000.12345', size: '1.00001' });
    expect(ticket.checks.filter(({ state }) => state !== 'pass').map(({ id }) => id)).toEqual([
      ...['funds', 'risk-distance', 'crossing', 'decimals-quantity', 'decimals-price', 'risk-ratio'],
    ]);
  });

  it('says what a number lacks while it is being typed, without marking it as wrong', async () => {
    const { ticket } = await filled();
    ticket.editing = 'size';
    for (const text of ['0', '0.', '0.0', '12.']) {
      ticket.fields.size = text;
      expect(ticket.messageAt('size'), text).toMatchObject({ tone: 'typing', suggestion: null });
      expect(ticket.messageAt('size')?.text, text).toContain(`“${text}”`);
    }
    ticket.editing = 'price';
    expect(ticket.messageAt('size')?.tone).toBe('error');
    ticket.editing = null;
    ticket.fields.size = '0.0';
    expect(ticket.messageAt('size')?.text).toContain('must be above 0');
  });

  it('grades a limit that crosses by the worse of the mark and the limit, and names it only where it is worse', async () => {
    const { ticket } = await filled();
    const graded = (price: string, type: 'LIMIT' | 'MARKET' = 'LIMIT') => {
      Object.assign(ticket.fields, { type, price, size: '5' });
      return [ticket.risk?.grade, ticket.worseAtLimit?.grade, ticket.worseAtLimit?.price];
    };
    expect(graded('110000.0')).toEqual(['danger', 'danger', '110000.0']);
    expect(ticket.worseAtLimit?.text).toBe('Liquidation ≈ 4.70% from the mark.');
    expect(graded('97500.0')).toEqual(['healthy', undefined, undefined]);
    expect(graded('96000.0')).toEqual(['healthy', undefined, undefined]);
    expect(graded('', 'MARKET')).toEqual(['healthy', undefined, undefined]);
  });

  it('opens the field of a reference price where the known one is too old, or to type another', async () => {
    const { ticket, app, passes } = await filled();
    expect([ticket.isReferenceOld, ticket.needsReference]).toEqual([false, false]);
    ticket.typingReference = true;
    expect(ticket.needsReference).toBe(true);
    ticket.typingReference = false;
    const most = ticket.context.limits.referenceAgeSeconds * 1_000;
    passes(NOW + most - app.clock.now);
    expect(ticket.isReferenceOld).toBe(false);
    passes(1);
    expect([ticket.isReferenceOld, ticket.needsReference]).toEqual([true, true]);
    app.navigation.symbol = null;
    expect(ticket.needsReference).toBe(false);
  });

  it('asks for a time in force of a market order only where one is chosen', async () => {
    const { ticket } = await filled();
    ticket.fields.type = 'MARKET';
    expect(ticket.reading.request).not.toHaveProperty('timeInForce');
    ticket.fields.marketTimeInForce = 'FOK';
    expect(ticket.reading.request).toMatchObject({ timeInForce: 'FOK' });
  });

  it('takes a suggestion into its field, that of a quantity as one', async () => {
    const { ticket } = await filled();
    const { fields } = ticket;
    fields.sizeMode = 'notional';
    fields.use({ field: 'quantity', value: '0.2', label: '' });
    fields.use({ field: 'price', value: '96000', label: '' });
    fields.use({ field: 'reference', value: '1', label: '' });
    expect([fields.sizeMode, fields.size, fields.price]).toEqual(['quantity', '0.2', '96000']);
    expect(['quantity', 'size', 'price', 'reference'].map((one) => fields.textOf(one as 'size'))).toEqual([
      ...['0.2', '0.2', '96000', null],
    ]);
  });

  it('keeps what was typed for each contract, and clears it with the account', async () => {
    const { ticket, app } = await filled();
    app.navigation.symbol = 'BTC-USD-M';
    expect(ticket.fields.size).toBe('');
    app.navigation.symbol = 'BTC-USDT-M';
    expect(ticket.fields.size).toBe('0.100');
    ticket.reset();
    app.navigation.symbol = 'BTC-USD-M';
    app.navigation.symbol = 'BTC-USDT-M';
    expect(ticket.fields.size).toBe('');
  });

  it('takes a size back that a unit could not express, unless another was typed or the order was sent', async () => {
    const { ticket, app } = await filled();
    ticket.sizeBy('risk'); // there is no stop loss
    expect(ticket.fields.size).toBe('');
    ticket.sizeBy('notional');
    expect(ticket.fields.size).toBe('9700');
    ticket.sizeBy('risk');
    ticket.sizeBy('quantity');
    expect(ticket.fields.size).toBe('0.1');
    ticket.sizeBy('risk');
    ticket.fields.size = '50';
    ticket.fields.size = '';
    ticket.sizeBy('quantity');
    expect(ticket.fields.size).toBe('');
    ticket.fields.size = '0.1';
    await ticket.submit();
    await app.review.send(null);
    ticket.sizeBy('notional');
    expect(ticket.fields.size).toBe('');
  });

  it('keeps neither size nor take profit and stop loss for the next order', async () => {
    const { ticket, app } = await filled();
    Object.assign(ticket.fields, {
      tpSlOn: true,
      tpTriggerType: 'MARK_PRICE',
      slTriggerType: 'MARK_PRICE',
      tpPrice: '99000',
      slPrice: '95000',
    });
    await ticket.submit();
    await app.review.send(null);
    const { size, tpSl } = ticket.fields.draft;
    expect({ size, tpSl }).toMatchObject({ size: '', tpSl: { on: false, tpPrice: '', slPrice: '' } });
  });

  it('requests a token with the request, its reference price and nothing else', async () => {
    const { ticket, requests } = await filled();
    await ticket.submit();
    expect(requests.find((one) => one.name === 'orders.review')?.input).toEqual({
      connectionId: 'live-1',
      kind: 'order',
      reference: { price: '97000.0', source: 'mark', at: NOW },
      request: {
        symbolId: 'BTC-USDT-M',
        side: 'BUY',
        type: 'LIMIT',
        timeInForce: 'GTC',
        quantity: '0.100',
        price: '97000.0',
        reduceOnly: false,
        postOnly: false,
      },
    });
  });

  it('sends nothing while trading is locked, the account is old, or a limit stops it', async () => {
    const { ticket, app, passes, count } = await filled();
    const state = app.session.state;
    if (state === null) throw new Error('no session');
    app.session.replace({ ...state, locked: true });
    expect(ticket.missing).toBe('Trading is locked');
    await ticket.submit();
    app.session.replace(state);
    ticket.fields.price = '150000'; // 10 % is the default limit
    expect(ticket.missing).toBe('Fix the price to continue');
    expect(ticket.messageAt('price')?.suggestion?.value).toBe('106700.0');
    await ticket.submit();
    ticket.fields.price = '97000.0';
    passes(7_000);
    expect(ticket.missing).toBe('The account data is too old to trade on');
    await ticket.submit();
    expect(count('orders.review')).toBe(0);
  });

  it('asks for a reference price that is absent, rather than calling it wrong', async () => {
    const { ticket, app, accountIs, push } = await filled();
    accountIs(account([]));
    push('feed', {
      connectionId: 'live-1',
      name: 'history',
      feed: { ...app.feeds.history.feed, value: [], serial: 99 },
    });
    ticket.fields.type = 'MARKET';
    expect(ticket.reference).toBeNull();
    expect([ticket.missing, ticket.missingAt]).toEqual(['Enter a reference price', 'reference']);
  });

  it('warns where the typed reference price is the price of the order itself', async () => {
    const { ticket } = await filled();
    const own = () => ticket.checks.find((one) => one.id === 'own-reference');
    expect(own()).toBeUndefined();
    ticket.referenceText = '97000';
    expect(ticket.typeReference()).toBeNull();
    expect(own()).toMatchObject({ state: 'warn', field: 'price' });
    expect(own()?.message).toContain('your 10% price limit checks nothing');
    expect(ticket.ready).toBe(true);
    ticket.fields.price = '96000.0';
    expect(own()).toBeUndefined();
  });

  it('warns where the typed reference price is far from another that is known', async () => {
    const { ticket } = await filled();
    const far = () => ticket.checks.find((one) => one.id === 'far-reference');
    ticket.referenceText = '97500';
    expect(ticket.typeReference()).toBeNull();
    expect(far()).toBeUndefined();
    ticket.referenceText = '970000';
    expect(ticket.typeReference()).toBeNull();
    expect(far()).toMatchObject({ state: 'warn', field: 'reference' });
    expect(far()?.message).toMatch(
      /^The reference price you typed is \+900\.0\d% from the (?:mark|last price) 9700\d\.0, .* ago\./,
    );
  });

  it('shows what the main process blocked at its field, and keeps the texts', async () => {
    const blocked = failed(blockedFailure('No such price.', 'Enter another.', 'price', '700011'));
    const { ticket, app } = await filled('live', { 'orders.review': () => blocked });
    await ticket.submit();
    expect(app.review.shown).toBe(false);
    expect(ticket.fields.failed).toMatchObject({ by: 'ballast', failure: { code: '700011' } });
    expect(ticket.messageAt('price')?.text).toBe('No such price. Enter another.');
    expect(ticket.fields.size).toBe('0.100');
  });

  it('shows a rejection by the exchange at its field, closes the sheet and keeps the texts', async () => {
    const failure = {
      kind: 'rejected' as const,
      message: 'Take-profit price must be below the order price.',
      next: 'Lower it.',
      field: 'tpPrice',
      code: '700072',
    };
    const rejected = record({
      state: 'rejected',
      code: '700072',
      events: [{ at: NOW + 5, state: 'rejected', text: 'Rejected', failure }],
    });
    const { ticket, app } = await filled('live', { 'orders.send': () => done(rejected) });
    await ticket.submit();
    await app.review.send(null);
    expect(app.review.shown).toBe(false);
    expect(ticket.fields.failed).toMatchObject({ by: 'exchange', at: NOW + 5 });
    expect(ticket.messageAt('tpPrice')?.text).toContain('must be below the order price');
    expect([ticket.fields.price, ticket.fields.size]).toEqual(['97000.0', '0.100']);
  });

  it('knows which intents hold its symbol and side', async () => {
    const { ticket, push } = await filled();
    push('intent', record({ state: 'unknown', orderId: null }));
    expect(ticket.heldBy).toHaveLength(1);
    ticket.fields.side = 'SELL';
    expect(ticket.heldBy).toHaveLength(0);
  });

  it('clears a draft whose unknown outcome was dismissed, unless it was changed since', async () => {
    const lost = record({ state: 'unknown', orderId: null });
    for (const typed of ['0.100', '0.200']) {
      const { ticket, app, push } = await filled('live', { 'orders.send': () => done(lost) });
      await ticket.submit();
      await app.review.send(null);
      push('intent', lost);
      expect(ticket.fields.size).toBe('0.100');
      ticket.fields.size = typed;
      push('intent', { ...lost, state: 'dismissed' });
      expect(ticket.fields.size, typed).toBe(typed === '0.100' ? '' : typed);
    }
  });

  it('reverses once: the box is off after a send, and for an order from another screen', async () => {
    const sent = record({ state: 'accepted' });
    const { ticket, app } = await filled('practice', { 'orders.send': () => done(sent) });
    const { symbolId } = ticket;
    ticket.fill({ symbolId, side: 'SELL', type: 'MARKET', quantity: '0.1', reverseOrder: true });
    expect(ticket.ready).toBe(true);
    await ticket.submit();
    expect(ticket.fields.reverseOrder).toBe(true);
    await app.review.send(null);
    expect([ticket.fields.size, ticket.fields.reverseOrder]).toEqual(['', false]);

    ticket.fields.reverses();
    ticket.fill({ symbolId, side: 'BUY', reduceOnly: false });
    expect(ticket.fields.reverseOrder).toBe(false);
  });

  it('takes a typed reference price for 60 s, and rejects one that is no number', async () => {
    const { ticket, passes, accountIs, app } = await filled();
    ticket.referenceText = '96,5';
    expect(ticket.typeReference()).toContain('Use a point: “96.5”');
    ticket.referenceText = '96000';
    expect(ticket.typeReference()).toBeNull();
    expect(ticket.reference).toMatchObject({ price: '96000', source: 'typed' });
    passes(61_000);
    accountIs(account([position()]));
    expect(app.feeds.account.freshness).toBe('fresh');
    expect(ticket.reference?.source).toBe('mark');
  });

  it('fills in what another screen passes', async () => {
    const { ticket, app } = await filled();
    app.navigation.trade({ symbolId: 'BTC-USD-M', side: 'SELL', quantity: '10', reduceOnly: true });
    const seed = app.navigation.takeSeed();
    if (seed) ticket.fill(seed);
    await settled();
    expect(ticket.reading.request).toBeNull(); // no price yet
    expect(ticket.fields).toMatchObject({ side: 'SELL', size: '10', reduceOnly: true });
    ticket.fields.tpSlOn = true;
    ticket.fill({ symbolId: 'BTC-USD-M', type: 'MARKET', quantity: '7', reverseOrder: true });
    expect(ticket.fields).toMatchObject({ reduceOnly: false, tpSlOn: false });
    expect(ticket.reading.request).toMatchObject({ type: 'MARKET', quantity: '7', reverseOrder: true });
  });
});
