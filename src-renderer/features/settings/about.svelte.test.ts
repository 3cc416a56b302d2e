import { render, screen } from '@testing-library/svelte';
import { afterEach, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../src-shared/ipc/default-settings.ts';
import { done } from '../../../src-shared/ipc/failures.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import { shownAs } from '../../text/shown-as.svelte.ts';
import About from './About.svelte';

afterEach(() => {
  shownAs.value = DEFAULT_SETTINGS;
});

it.each([
  [false, '"31,337.42"'],
  [true, '"•••••"'],
] as const)('shows a figure that cannot be read as received; amounts hidden: %s', async (privacy, value) => {
  const { app } = await fixture('live', { 'app.licences': () => done([]) });
  shownAs.value = { ...DEFAULT_SETTINGS, privacy };
  app.feeds.drift = [
    { record: 'asset', field: 'balance', value: '"31,337.42"' },
    { record: 'trade', field: 'liquidity', value: 'BOTH' },
  ];
  render(InApp, { app, component: About });
  expect(screen.getByText(value)).toBeTruthy();
  expect(screen.getByText('BOTH')).toBeTruthy();
});
