import { fireEvent, render, screen } from '@testing-library/svelte';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tick } from 'svelte';
import { expect, it } from 'vitest';
import FailingPart from '../../tests/renderer/FailingPart.svelte';
import { failing } from '../../tests/renderer/failing.svelte.ts';

it('shows the error of a part that was loaded, again after a retry in vain, and the part once it works', async () => {
  failing.message = 'not a plain decimal: 0002';
  render(FailingPart);
  expect((await screen.findByRole('alert')).textContent).toContain('The part could not be displayed');
  await fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect((await screen.findByRole('alert')).textContent).toContain('not a plain decimal: 0002');
  failing.message = null;
  await fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('works')).toBeDefined();
  failing.message = 'later';
  await tick();
  expect((await screen.findByRole('alert')).textContent).toContain('later');
});

it('stands inside the await blocks of its content', () => {
  const outside = globSync('**/*.svelte', { cwd: join(import.meta.dirname, '..') }).filter((file) => {
    const parts = readFileSync(join(import.meta.dirname, '..', file), 'utf8').matchAll(
      /<ScreenBoundary\b[\s\S]*?<\/ScreenBoundary>/g,
    );
    return [...parts].some(([part]) => part.includes('{#await'));
  });
  expect(outside).toEqual([]);
});
