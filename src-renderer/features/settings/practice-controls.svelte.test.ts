import { render, screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { done, failed } from '../../../src-shared/ipc/failures.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import PracticeControls from './PracticeControls.svelte';
import { PracticeControls as Controls, priceFactor } from './practice-controls.svelte.ts';

describe('the price factor for a move in percent', () => {
  it.each([
    ['-10', '0.9'],
    ['−10', '0.9'],
    ['+5', '1.05'],
    ['2.5', '1.025'],
    ['-100', null],
    ['-250', null],
    ['1e2', null],
    ['', null],
    ['ten', null],
  ])('%s: %s', (percent, share) => {
    expect(priceFactor(percent)).toBe(share);
  });
});

it('says nothing about orders, faults or habits before they are read', async () => {
  const waits = (): Promise<never> => new Promise(() => undefined);
  const { app } = await fixture('practice', { 'practice.state': waits, 'practice.habits': waits });
  render(InApp, { app, component: PracticeControls });
  expect(screen.getByRole('heading', { name: 'Scripted faults' })).toBeTruthy();
  expect(screen.queryByText(/^No open orders|^None: every request|differ from the default/)).toBeNull();
});

it('takes the error of a poll back once one works, and leaves that of a change', async () => {
  const failure = (message: string) => failed({ kind: 'offline', message, next: '' });
  const { app, replies } = await fixture('practice', { 'practice.state': () => failure('No reply.') });
  const controls = new Controls(app.calls);
  const shown = async (): Promise<string | undefined> => {
    await controls.load();
    return controls.failure?.message;
  };
  expect(await shown()).toBe('No reply.');
  replies['practice.state'] = () => done({ contracts: [] } as never);
  expect(await shown()).toBeUndefined();
  replies['practice.change'] = () => failure('Not changed.');
  await controls.change({ do: 'reset' });
  expect(await shown()).toBe('Not changed.');
});
