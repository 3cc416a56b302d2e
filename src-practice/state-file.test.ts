import { appendFile, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startClient } from '../tests/practice/client.ts';
import type { Client } from '../tests/practice/client.ts';
import { openState } from './state-file.ts';

const ORDER = '/ftapi/v1/order';
const BUY = '{"symbolId":"ETH-USDT-M","side":"SELL","type":"MARKET","quantity":0.10}';
const READS = ['/ftapi/v1/account/info', '/ftapi/v1/openOrder', '/ftapi/v1/orderHis', '/stapi/v1/trades'];

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'practice-'));
});
afterEach(() => {
  vi.useRealTimers();
  return rm(dataDir, { recursive: true });
});

const file = (): string => join(dataDir, 'exchange.jsonl');
const all = (client: Client): Promise<string[]> =>
  Promise.all(READS.map(async (target) => (await client.get(target)).text));

async function session(client: Client): Promise<void> {
  expect((await client.post(ORDER, BUY)).envelope.code).toBe('0');
  await client.control('POST', '/clock', { advanceMs: 90_500 });
  await client.control('POST', '/shock', { symbolId: 'SOL-USDT-M', share: '0.97' });
  await client.control('POST', '/grant', { coin: 'USDT', amount: '5' });
  await client.control('POST', '/clock', { advanceMs: 4 * 3_600_000 });
  await client.post(ORDER, BUY);
}

describe('a stored exchange', () => {
  it('resumes after a kill with the same bytes', async () => {
    const first = await startClient({ dataDir });
    await session(first);
    const before = await all(first);
    // Not stopped: the file is now what a kill would leave.
    const left = await readFile(file());
    const untouched = await startClient({ dataDir });
    expect(untouched.practice).toMatchObject({ exchangeId: first.practice.exchangeId });
    expect(await all(untouched)).toEqual(before);
    for (const each of [first, untouched]) await each.control('POST', '/clock', { advanceMs: 7_000 });
    expect(await all(untouched)).toEqual(await all(first));
    expect(left.length).toBeGreaterThan(500);
    await first.stop();
    await untouched.stop();
  });

  it('stays as it is where a reset cannot be stored, as on a full disk', async () => {
    const first = await startClient({ dataDir });
    await session(first);
    const before = await all(first);
    // In the place of the new file while it is written.
    await mkdir(join(dataDir, '.exchange.jsonl.tmp', 'full'), { recursive: true });
    await first.control('POST', '/reset', {}).catch(() => undefined);
    expect(await all(first)).toEqual(before);
    expect((await first.post(ORDER, BUY)).envelope.code).toBe('0');
    const after = await all(first);
    await first.stop();
    const second = await startClient({ dataDir });
    expect(second.practice.exchangeId).toBe(first.practice.exchangeId);
    expect(await all(second)).toEqual(after);
    await second.stop();
  });

  it('drops a line cut off by a kill', async () => {
    const first = await startClient({ dataDir });
    await session(first);
    const before = await all(first);
    await first.stop();
    await appendFile(file(), '{"at":1795392000000,"do":"ord');
    const second = await startClient({ dataDir });
    expect(await all(second)).toEqual(before);
    await second.stop();
    const third = await startClient({ dataDir });
    expect(await all(third)).toEqual(before);
    await third.stop();
  });

  it('keeps every accepted order, each once, however often it is restarted', async () => {
    const ids: unknown[] = [];
    for (let run = 0; run < 4; run += 1) {
      const client = await startClient({ dataDir });
      ids.push((await client.post(ORDER, BUY)).envelope.data);
      const { envelope } = await client.get('/ftapi/v1/orderHis?limit=1000');
      const known = (envelope.data as { id: string }[]).map(({ id }) => id);
      expect(ids.every((id) => known.filter((each) => each === id).length === 1)).toBe(true);
      await client.stop();
    }
    expect(new Set(ids).size).toBe(4);
  });

  it('lets the time pass for which it was off before it takes a request', async () => {
    const first = await startClient({ dataDir, speed: 1 });
    await first.stop();
    vi.useFakeTimers({ now: Date.now() + 3 * 3_600_000, toFake: ['Date'] });
    const second = await startClient({ dataDir, speed: 1 });
    expect(await readFile(file(), 'utf8')).toContain('"do":"leap"');
    await second.stop();
  });

  it('keeps its habits, also after a reset with others, and refuses to start with different ones', async () => {
    const habits = { 'order-ids': 'small', tiers: 'marginal' } as const;
    const first = await startClient({ dataDir, habits });
    await session(first);
    const before = await all(first);
    await first.stop();
    expect(JSON.parse((await readFile(file(), 'utf8')).split('\n')[0] ?? '')).toMatchObject({
      convention: 'marginal',
      habits: { 'order-ids': 'small' },
    });
    const second = await startClient({ dataDir });
    expect(second.practice.exchangeId).toBe(first.practice.exchangeId);
    expect(await all(second)).toEqual(before);
    await second.control('POST', '/reset', { habits: { positions: 'hedge' } });
    const after = await all(second);
    await second.stop();
    const third = await startClient({ dataDir });
    expect(third.practice.habits).toMatchObject({ positions: 'hedge', tiers: 'flat', 'order-ids': 'signed' });
    expect(await all(third)).toEqual(after);
    await third.stop();
    await expect(startClient({ dataDir, pageBase: 0 })).rejects.toThrow(
      'the stored exchange has page-base 1, not 0: leave the option out, or name another folder',
    );
  });

  it('resumes a file of a version without habits with the default ones', async () => {
    const first = await startClient({ dataDir });
    await session(first);
    const before = await all(first);
    await first.stop();
    const [line = ''] = (await readFile(file(), 'utf8')).split('\n');
    expect(Object.keys(JSON.parse(line) as object)).not.toContain('habits');
    const second = await startClient({ dataDir });
    expect(await all(second)).toEqual(before);
    await second.stop();
  });

  it('gets a new identity by a reset, which the next start keeps', async () => {
    const first = await startClient({ dataDir });
    await session(first);
    await first.control('POST', '/reset', { seed: 11 });
    const { exchangeId } = (await first.control('GET', '/state')) as { exchangeId: string };
    expect(exchangeId).not.toBe(first.practice.exchangeId);
    await first.stop();
    await expect(startClient({ dataDir })).rejects.toThrow('the stored exchange has seed 11, not 7');
    const second = await startClient({ dataDir, seed: 11 });
    expect(second.practice).toMatchObject({ exchangeId });
    await second.stop();
  });

  it('moves a damaged file or one of another version aside and starts anew', async () => {
    for (const damage of [
      (text: string) => text.replace('"engine":', '"engine":9'),
      (text: string) => text.replace('"ballastPractice":', '"ballastPractice":9'),
      (text: string) => text.replace('"do":"order"', '"do":"odrer"'),
    ]) {
      const first = await startClient({ dataDir });
      await session(first);
      await first.stop();
      const text = await readFile(file(), 'utf8');
      expect(damage(text)).not.toBe(text);
      await writeFile(file(), damage(text));
      const second = await startClient({ dataDir });
      const { movedAside, exchangeId } = second.practice;
      expect(exchangeId).not.toBe(first.practice.exchangeId);
      expect(await readFile(movedAside ?? '', 'utf8')).toBe(damage(text));
      await second.stop();
      await rm(dataDir, { recursive: true });
    }
    dataDir = await mkdtemp(join(tmpdir(), 'practice-'));
    expect(await readdir(dataDir)).toEqual([]);
  });

  describe('with a checkpoint', () => {
    const checkpoint = (): string => join(dataDir, 'checkpoint.jsonl');
    const LATER = 30 * 60_000;

    /** Stopped once, so that there is a checkpoint; killed after more inputs. */
    async function killedLater(): Promise<{ before: string[]; killed: Client }> {
      const first = await startClient({ dataDir });
      await session(first);
      await first.stop();
      expect(replayed()).toBe(0);
      const killed = await startClient({ dataDir });
      await killed.post(ORDER, BUY);
      await killed.control('POST', '/clock', { advanceMs: LATER });
      await killed.post(ORDER, BUY);
      return { before: await all(killed), killed };
    }

    /** Returns how many inputs a start replays: those since the checkpoint. */
    function replayed(): number {
      const none = { seed: 0, start: 0, history: 0, contracts: 0, convention: 'flat' } as const;
      const { file: opened, inputs } = openState(dataDir, none, 0);
      opened.close();
      return inputs.length;
    }

    async function expectTakenUp(before: string[], isRight: (inputs: number) => boolean): Promise<void> {
      expect(isRight(replayed())).toBe(true);
      const next = await startClient({ dataDir });
      expect(await all(next)).toEqual(before);
      expect(next.practice.movedAside).toBeNull();
      await next.stop();
    }

    it('replays only later inputs, to the same bytes', async () => {
      const { before, killed } = await killedLater();
      await expectTakenUp(before, (inputs) => inputs > 0 && inputs < 5);
      await killed.stop();
    });

    it('replays the whole log when it is missing, damaged, or of another version or log', async () => {
      const { before, killed } = await killedLater();
      const text = await readFile(checkpoint(), 'utf8');
      const log = await readFile(file());
      for (const damage of [
        (good: string) => good.replace('"markets":', '"narkets":'),
        (good: string) => good.slice(0, good.length / 2),
        (good: string) => good.replace('"ballastCheckpoint":', '"ballastCheckpoint":9'),
        (good: string) => good.replace('"engine":', '"engine":9'),
        (good: string) => good.replace('"id":"', '"id":"x'),
        (good: string) => good.replace('"log":"', '"log":"x'),
        () => '',
        () => 'not json',
      ]) {
        expect(damage(text)).not.toBe(text);
        await writeFile(file(), log);
        await writeFile(checkpoint(), damage(text));
        await expectTakenUp(before, (inputs) => inputs >= 8);
      }
      await writeFile(file(), log);
      await rm(checkpoint());
      await expectTakenUp(before, (inputs) => inputs >= 8);
      await killed.stop();
    });

    it('is also written while the exchange runs, every hour', async () => {
      const client = await startClient({ dataDir });
      await client.post(ORDER, BUY);
      await client.control('POST', '/clock', { advanceMs: 3 * 3_600_000 });
      await expect.poll(() => readFile(checkpoint(), 'utf8').catch(() => '')).toContain('world');
      const before = await all(client);
      await expectTakenUp(before, (inputs) => inputs === 0);
      await client.stop();
    });

    it('is not used after a reset', async () => {
      const first = await startClient({ dataDir });
      await session(first);
      await first.stop();
      await copyFile(checkpoint(), `${checkpoint()}.old`);
      const second = await startClient({ dataDir });
      await second.control('POST', '/reset', { seed: 7 });
      const before = await all(second);
      await copyFile(`${checkpoint()}.old`, checkpoint());
      await expectTakenUp(before, () => true);
      await second.stop();
    });
  });
});
