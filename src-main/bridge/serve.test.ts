import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Handlers } from '../../src-shared/ipc/calls.ts';
import { done } from '../../src-shared/ipc/failures.ts';
import { eventChannel, type CallName } from '../../src-shared/ipc/names.ts';
import { isOwnAddress } from '../app/content-security-policy.ts';
import { serveBridge } from './serve.ts';
import { ECHO, ownEvent, PAGE_ADDRESS } from '../../tests/bridge/echo.ts';
import { fuzzBridge } from '../../tests/bridge/fuzz-bridge.ts';

const { ipcMain } = await vi.hoisted(async () => {
  const { fakeIpcMain } = await import('../../tests/bridge/echo.ts');
  return { ipcMain: fakeIpcMain() };
});
vi.mock('electron', () => ({ ipcMain }));

const sent: unknown[][] = [];
const page = { isDestroyed: () => false, send: (...words: unknown[]) => void sent.push(words) };
const defects: string[] = [];
const heard: string[] = [];
const serve = (handlers: Partial<Handlers> = {}) =>
  serveBridge(
    { ...ECHO, ...handlers },
    {
      page: () => page as never,
      isOwnAddress: (url) => isOwnAddress(url, null),
      listening: () => void heard.push('listening'),
      defect: (call) => void defects.push(call),
    },
  );
beforeEach(() => {
  sent.length = 0;
  defects.length = 0;
  heard.length = 0;
});

describe('the bridge', () => {
  const input = { connectionId: 'practice' };
  const ask = (event: unknown) => ipcMain.of('journal.list')(event, input);

  it('answers its own page', async () => {
    serve();
    expect(await ask(ownEvent(page))).toEqual({ ok: true, data: input });
  });

  it.each([
    ['another page', { ...ownEvent(page), sender: {} }],
    ['no frame', { ...ownEvent(page), senderFrame: null }],
    ['a frame inside the page', { ...ownEvent(page), senderFrame: { parent: {}, url: PAGE_ADDRESS } }],
    ['a foreign address', { ...ownEvent(page), senderFrame: { parent: null, url: 'https://bundle/' } }],
    ['no address', { ...ownEvent(page), senderFrame: { parent: null, url: '' } }],
  ])('refuses %s', async (_name, event) => {
    const list = vi.fn<Handlers['journal.list']>(() => Promise.resolve(done([])));
    serve({ 'journal.list': list });
    expect(await ask(event)).toMatchObject({ ok: false, failure: { kind: 'blocked' } });
    expect(list).not.toHaveBeenCalled();
  });

  it('refuses an input that breaks the contract before any handler has it, and names the field', async () => {
    const list = vi.fn<Handlers['journal.list']>(() => Promise.resolve(done([])));
    serve({ 'journal.list': list });
    const result = await ipcMain.of('journal.list')(ownEvent(page), { connectionId: '../x' });
    expect(result).toMatchObject({ ok: false, failure: { kind: 'blocked', field: 'connectionId' } });
    expect(list).not.toHaveBeenCalled();
  });

  const batch = (rows: unknown) => ({ connectionId: 'practice', callSize: 1, rows });
  const many = (each: (index: number) => unknown): unknown[] =>
    Array.from({ length: 100_001 }, (_, at) => each(at));
  const ring: unknown[] = [];
  ring.push(ring);
  it.each<[string, CallName, unknown]>([
    ['a long list', 'orders.sendBatch', { token: 't', release: many(() => 'BTC-USDT-M') }],
    ['a long list of nothing', 'orders.reviewBatch', batch(Object.assign([], { length: 4_294_967_295 }))],
    [
      'a record of many',
      'settings.set',
      {
        portfolio: {
          unit: 'USDT',
          rates: Object.fromEntries(many((at) => [`C${at}`, { rate: '1', at: 0 }]) as [string, object][]),
        },
      },
    ],
    ['a ring', 'orders.reviewBatch', batch(ring)],
    ['bytes', 'settings.set', new Uint8Array(8)],
    ['a text with properties', 'settings.set', Object('text')],
  ])('refuses %s before its schema reads it', async (_name, call, input) => {
    serve();
    expect(await ipcMain.of(call)(ownEvent(page), input)).toMatchObject({
      failure: { kind: 'blocked', message: 'The window sent more than a call takes.' },
    });
  });

  it('reads no further than the first fault: each takes time and memory', async () => {
    serve();
    let reads = 0;
    const rows = Object.defineProperty([1, 2], 1, { get: () => ++reads });
    const result = await ipcMain.of('orders.reviewBatch')(ownEvent(page), batch(rows));
    expect(result).toMatchObject({ failure: { kind: 'blocked', field: 'rows.0' } });
    expect(reads).toBe(1); // when its values were counted
  });

  it('makes of a handler’s exception a failure without its words', async () => {
    serve({ 'journal.list': () => Promise.reject(new Error('canary in a library’s message')) });
    const result = await ask(ownEvent(page));
    expect(result).toMatchObject({ ok: false, failure: { kind: 'bug' } });
    expect(JSON.stringify(result)).not.toContain('canary');
    expect(defects).toEqual(['journal.list']);
  });

  it('names a full disk, which is no defect of Ballast, and does not take it for an order’s outcome', async () => {
    const full = Object.assign(new Error('canary: /home/x'), { code: 'ENOSPC' });
    serve({ 'journal.list': () => Promise.reject(full), 'orders.send': () => Promise.reject(full) });
    const result = await ask(ownEvent(page));
    expect(result).toMatchObject({ failure: { kind: 'file', message: expect.stringContaining('(ENOSPC)') } });
    expect(JSON.stringify(result)).not.toContain('canary');
    const send = { token: 't', release: null };
    expect(await ipcMain.of('orders.send')(ownEvent(page), send)).toMatchObject({
      failure: { kind: 'unknown' },
    });
  });

  it.each(['EMFILE', 'ENFILE'])('says what to do where no more files can be opened: %s', async (code) => {
    serve({ 'journal.list': () => Promise.reject(Object.assign(new Error('canary'), { code })) });
    expect(await ask(ownEvent(page))).toMatchObject({
      failure: {
        kind: 'file',
        message: expect.stringContaining(code),
        next: expect.stringMatching(/^Close/),
      },
    });
  });

  it('never reports a failed send as not sent', async () => {
    serve({
      'orders.send': () => Promise.reject(new Error('broke after the POST')),
      'orders.discard': () => Promise.reject(new Error('broke')),
    });
    const send = { token: 't', release: null };
    const sent = await ipcMain.of('orders.send')(ownEvent(page), send);
    expect(sent).toMatchObject({ ok: false, failure: { kind: 'unknown' } });
    expect(JSON.stringify(sent)).toContain('may or may not have been placed');
    expect(JSON.stringify(sent)).not.toContain('Nothing was sent');
    const dropped = await ipcMain.of('orders.discard')(ownEvent(page), { token: 't' });
    expect(dropped).toMatchObject({
      failure: { kind: 'bug', next: expect.stringMatching(/^Nothing was sent/) },
    });
  });

  it('pushes events by their channel, from the page’s first question on', async () => {
    const push = serve();
    push('notice', { message: 'too early', next: 'n', stays: false });
    await ask({ ...ownEvent(page), sender: {} });
    expect(heard).toEqual([]);
    await ask(ownEvent(page));
    await ask(ownEvent(page));
    expect(heard).toEqual(['listening']);
    push('notice', { message: 'm', next: 'n', stays: false });
    expect(sent).toEqual([[eventChannel('notice'), '{"message":"m","next":"n","stays":false}']]);
  });
});

/** The short form of tests/stress/fuzz.ts. */
it('answers whatever a page sends to any call by a Result', async () => {
  serve();
  const event = ownEvent(page);
  const { faults, taken, calls } = await fuzzBridge(3_000, (name, one) => ipcMain.of(name)(event, one));
  expect(faults).toEqual([]);
  expect(taken).toBe(calls);
  expect(defects).toEqual([]);
});
