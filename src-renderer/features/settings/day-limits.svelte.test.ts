import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import { NO_DAY_LIMITS } from '../../../tests/renderer/day-state.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import DayLimits from './DayLimits.svelte';

it('says whose midnight ends a limit', async () => {
  const { app, push } = await fixture();
  push('day', { ...NO_DAY_LIMITS, zone: 'Europe/Berlin' });
  render(InApp, { app, component: DayLimits });
  flushSync();
  expect(screen.getByText(/blocked until midnight \(Europe\/Berlin\)$/)).toBeTruthy();
});
