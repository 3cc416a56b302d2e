import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { workerEntry } from '../worker-entry.ts';
import { startPracticeForApp } from './practice.ts';
import { control } from '../../tests/practice/controls.ts';

vi.mock(import('../worker-entry.ts'), async (original) => ({
  workerEntry: vi.fn((await original()).workerEntry),
}));

it('serves from a worker thread and is gone after stop', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'ballast-practice-'));
  const practice = await startPracticeForApp({ dataDir, seed: 7 });
  const unsigned = await fetch(`${practice.url}/ftapi/v1/account/info`);
  expect(unsigned.status).toBe(401);
  expect(JSON.parse(await control(practice, 'GET', '/state'))).toMatchObject({
    seed: 7,
    received: { account: 1 },
  });
  await practice.stop();
  await expect(fetch(practice.url)).rejects.toThrow('fetch failed');
  await rm(dataDir, { recursive: true });
});

it('resumes the stored exchange at the next start', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'ballast-practice-'));
  const first = await startPracticeForApp({ dataDir });
  expect(first.movedAside).toBeNull();
  await first.stop();
  const second = await startPracticeForApp({ dataDir });
  expect(second.exchangeId).toBe(first.exchangeId);
  await second.stop();
  await rm(dataDir, { recursive: true });
});

it('reports why it cannot start', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'ballast-practice-'));
  const failed = startPracticeForApp({ dataDir, port: 70_000 });
  await expect(failed).rejects.toThrow(/port/);
  await rm(dataDir, { recursive: true });
});

it('reports once that it ended by itself, though its report, an error and its exit arrive in one turn', async () => {
  vi.mocked(workerEntry).mockReturnValueOnce(new URL('data:text/javascript,'));
  process.once('worker', (worker) => {
    worker.emit('message', {});
    worker.emit('error', new TypeError('out of memory'));
    worker.emit('exit', 1);
  });
  const ended: string[] = [];
  const practice = await startPracticeForApp({}, ({ message }) => ended.push(message));
  await practice.stop();
  expect(ended).toEqual(['out of memory']);
});
