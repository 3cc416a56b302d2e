/** Checks that the empty window of the benchmarks opens, which no other test starts. */
import { expect, test } from '@playwright/test';
import { EMPTY_WINDOW, open } from '../bench/window/open.ts';

test('the empty window of the benchmarks opens and replies', async () => {
  const opened = await open(EMPTY_WINDOW, 'h1');
  expect(await opened.page.evaluate('window.echo(1)')).toBe(1);
  await opened.close();
});
