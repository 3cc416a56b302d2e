import { fireEvent, render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { failed } from '../../src-shared/ipc/failures.ts';
import { fixture, settled } from '../../tests/renderer/app-fixture.ts';
import InApp from '../../tests/renderer/InApp.svelte';
import UnlockDialog from './UnlockDialog.svelte';

it('can stay locked while it waits, also after an earlier attempt was left', async () => {
  const replies: (() => void)[] = [];
  const left = failed({ kind: 'cancelled', message: 'Unlocking was cancelled.', next: '' });
  const slow = () => new Promise<typeof left>((resolve) => replies.push(() => resolve(left)));
  const { app, requests } = await fixture('live', { 'trading.setLock': slow });
  const shown = (open: boolean) => ({ app, component: UnlockDialog, given: { open } });
  const { rerender } = render(InApp, shown(true));
  const press = (name: RegExp) => fireEvent.click(screen.getByRole('button', { name }));
  await press(/^Unlock trading/);
  await press(/^Stay locked/);
  await rerender(shown(false));
  await rerender(shown(true));
  await press(/^Unlock trading/);
  replies[0]?.();
  await settled();
  await press(/^Stay locked/);
  const locks = requests.filter(({ name }) => name === 'trading.setLock').map(({ input }) => input);
  expect(locks).toEqual([{ lock: 'off' }, { lock: 'secret' }, { lock: 'off' }, { lock: 'secret' }]);
});
