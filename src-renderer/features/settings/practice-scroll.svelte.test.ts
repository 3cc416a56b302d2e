import { render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { blockedFailure, failed, type Result } from '../../../src-shared/ipc/failures.ts';
import type { PracticeState } from '../../../src-shared/ipc/practice.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import PracticeControls from './PracticeControls.svelte';

const region = () => screen.queryByRole('group', { name: /^Practice controls are/ });

it('is scrolled by keys while nothing in it can take the focus', async () => {
  const reply = Promise.withResolvers<Result<PracticeState>>();
  const { app } = await fixture('practice', { 'practice.state': () => reply.promise });
  render(InApp, { app, component: PracticeControls });
  expect(region()?.getAttribute('aria-label')).toBe('Practice controls are being read');
  expect(region()?.getAttribute('aria-busy')).toBe('true');
  expect(region()?.tabIndex).toBe(0);
  for (const one of document.querySelectorAll('button, input, select'))
    expect(one.matches(':disabled, fieldset[disabled] *')).toBe(true);
  reply.resolve(failed(blockedFailure('It is not running.', '')));
  expect(await screen.findByRole('group', { name: 'Practice controls are unavailable' })).toBe(region());
  expect(region()?.getAttribute('aria-busy')).toBe('false');
  expect(region()?.tabIndex).toBe(0);
});
