import { expect, it } from 'vitest';
import { LateLine } from './main/late-line.mjs';

it('passes messages at once by default, and late but in their order if asked', async () => {
  const passed: number[] = [];
  new LateLine().pass(() => passed.push(0));
  expect(passed).toEqual([0]);
  const line = new LateLine(20);
  for (let message = 1; message <= 20; message++) line.pass(() => passed.push(message));
  expect(passed).toEqual([0]);
  await expect.poll(() => passed).toHaveLength(21);
  expect(passed).toEqual(passed.toSorted((a, b) => a - b));
});
