import { describe, expect, it } from 'vitest';
import type { Bridge } from '../src-shared/ipc/calls.ts';
import { bridgeOf } from './bridge.ts';

const bridge = (method: (input: unknown) => unknown): Bridge =>
  ({ 'feeds.refresh': method, on: {} }) as unknown as Bridge;

describe('the bridge', () => {
  it('returns a failure instead of rejecting, whatever goes wrong', async () => {
    const calls = bridgeOf(bridge(() => Promise.reject(new Error('handler is gone'))));
    const result = await calls.call('feeds.refresh', { name: 'account' });
    expect(result).toMatchObject({ ok: false, failure: { kind: 'bug', next: 'handler is gone' } });
  });

  it('calls the outcome of a send unknown if the bridge broke during the call', async () => {
    const broken = { 'orders.send': () => Promise.reject(new Error('gone')), on: {} } as unknown as Bridge;
    const result = await bridgeOf(broken).call('orders.send', { token: 't', release: null });
    expect(result).toMatchObject({ ok: false, failure: { kind: 'unknown' } });
  });

  it('passes plain data, since a proxy cannot be cloned across the bridge', async () => {
    let received: unknown;
    const calls = bridgeOf(
      bridge((input) => {
        received = structuredClone(input);
        return Promise.resolve({ ok: true, data: null });
      }),
    );
    const proxied = new Proxy({ name: 'account' as const }, {});
    expect((await calls.call('feeds.refresh', proxied)).ok).toBe(true);
    expect(received).toEqual({ name: 'account' });
  });
});
