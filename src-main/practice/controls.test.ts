import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startPractice, type Practice } from '../../src-practice/index.ts';
import { changePractice, practiceHabits, practiceState } from './controls.ts';
import { dataOf } from '../../tests/shared/data-of.ts';

let practice: Practice;
beforeEach(async () => {
  practice = await startPractice({ seed: 7, speed: 0 });
});
afterEach(() => practice.stop());

describe('practice controls', () => {
  it('return and change the clock, prices and faults', async () => {
    const before = dataOf(await practiceState(practice.controls));
    const moved = await changePractice(practice.controls, { do: 'advance', ms: 60_000 });
    expect(moved.ok && moved.data.clock.now - before.clock.now).toBe(60_000);

    const fault = {
      do: 'fault',
      endpoint: 'order',
      action: 'reset',
      nth: 1,
      times: 1,
      accept: true,
    } as const;
    expect(await changePractice(practice.controls, fault)).toMatchObject({
      data: { faults: [{ endpoint: 'order', action: 'reset', hits: 0 }] },
    });
    expect(await changePractice(practice.controls, { do: 'clear-faults' })).toMatchObject({
      data: { faults: [] },
    });
  });

  it('list the habits, and restart the exchange with others', async () => {
    const habits = await practiceHabits(practice.controls);
    expect(habits.ok && habits.data.find(({ name }) => name === 'page-base')).toMatchObject({
      value: '1',
      preset: '1',
      values: [
        { value: '0', meaning: 'Pages start at 0.' },
        { value: '1', meaning: 'Pages start at 1.' },
      ],
    });
    const changed = { do: 'reset', habits: { 'trigger-names': 'market-fair' } } as const;
    expect(await changePractice(practice.controls, changed)).toMatchObject({
      data: { settings: { triggerTypes: ['MARKET_PRICE', 'FAIR_PRICE'], convention: 'flat' } },
    });
    const wrong = { do: 'reset', habits: { 'page-base': '2' } } as const;
    expect(await changePractice(practice.controls, wrong)).toMatchObject({
      failure: { message: expect.stringContaining('page-base must be one of 0, 1') as string },
    });
  });

  it('pass a rejection on in words', async () => {
    const refused = await changePractice(practice.controls, {
      do: 'shock',
      symbolId: 'NONE-USDT-M',
      share: '0.9',
    });
    expect(refused).toMatchObject({ ok: false, failure: { kind: 'rejected' } });
  });

  it('say so when the exchange is gone or the token is wrong', async () => {
    const wrong = await practiceState({ ...practice.controls, token: 'guess' });
    expect(wrong).toMatchObject({ ok: false, failure: { kind: 'rejected' } });
    const { controls } = practice;
    await practice.stop();
    expect(await practiceState(controls)).toMatchObject({ ok: false, failure: { kind: 'offline' } });
    practice = await startPractice({ seed: 7, speed: 0 });
  });

  it.each([
    [Buffer.alloc(5_000_000, '7'), 'more than 4 MB'],
    [Buffer.from([0x22, 0xff, 0x22]), 'text that is not UTF-8'],
  ])('say in words what a reply has that none of the exchange has', async (body, words) => {
    const server = createServer((_, reply) => reply.end(body));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const read = await practiceState({ url: `http://127.0.0.1:${port}`, token: '' });
    server.close();
    expect(read).toMatchObject({
      ok: false,
      failure: { message: `The practice exchange sent an unexpected reply: ${words}` },
    });
  });
});
