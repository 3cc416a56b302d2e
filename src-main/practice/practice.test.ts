import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startPracticeForApp } from './practice.ts';
import { control } from '../../tests/practice/controls.ts';

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
  expect([first.fresh, first.movedAside]).toEqual([true, null]);
  await first.stop();
  const second = await startPracticeForApp({ dataDir });
  expect([second.fresh, second.exchangeId]).toEqual([false, first.exchangeId]);
  await second.stop();
  await rm(dataDir, { recursive: true });
});

it('reports why it cannot start', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'ballast-practice-'));
  const failed = startPracticeForApp({ dataDir, port: 70_000 });
  await expect(failed).rejects.toThrow(/port/);
  await rm(dataDir, { recursive: true });
});
