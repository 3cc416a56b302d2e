import { fireEvent, render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { failed } from '../../src-shared/ipc/failures.ts';
import { fixture, settled } from '../../tests/renderer/app-fixture.ts';
import InApp from '../../tests/renderer/InApp.svelte';
import UnlockDialog from './UnlockDialog.svelte';

const LEFT = failed({ kind: 'cancelled', message: 'Trading was locked again.', next: 'Unlock it.' });

it('can stay locked while it waits, also after an earlier attempt was left', async () => {
  const replies: (() => void)[] = [];
  const slow = () => new Promise<typeof LEFT>((resolve) => replies.push(() => resolve(LEFT)));
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
  const asked = requests.map(({ name }) => name).filter((name) => name.startsWith('trading.'));
  expect(asked).toEqual(['trading.setLock', 'trading.stayLocked', 'trading.setLock', 'trading.stayLocked']);
});

it('closes when another account is opened, and keeps nothing of the one before', async () => {
  const reply = Promise.withResolvers<typeof LEFT>();
  const { app, push } = await fixture('live', { 'trading.setLock': () => reply.promise });
  const shown = (open: boolean) => ({ app, component: UnlockDialog, given: { open } });
  const { rerender } = render(InApp, shown(true));
  await fireEvent.click(screen.getByRole('button', { name: /^Unlock trading/ }));
  push('session', { ...app.session.state!, activeId: 'live-2' });
  await settled();
  expect(screen.queryByRole('button', { name: /^Unlock trading/ })).toBeNull();
  reply.resolve(LEFT);
  await settled();
  await rerender(shown(false));
  await rerender(shown(true));
  expect(screen.queryByRole('alert')).toBeNull();
});

it('says why trading stays locked where something else ended the unlocking', async () => {
  const { app } = await fixture('live', { 'trading.setLock': () => LEFT });
  render(InApp, { app, component: UnlockDialog, given: { open: true } });
  await fireEvent.click(screen.getByRole('button', { name: /^Unlock trading/ }));
  expect((await screen.findByRole('alert')).textContent).toContain('Trading was locked again.');
});

it('does not promise that orders can be sent where more than the lock is missing', async () => {
  const { app } = await fixture();
  const { state } = app.session;
  if (state === null) throw new Error('no session');
  const shown = (verified: boolean): string => {
    const connections = state.connections.map((one) => ({ ...one, verified }));
    app.session.replace({ ...state, connections, locked: true, neverUnlocked: true });
    const { container, unmount } = render(InApp, { app, component: UnlockDialog, given: { open: true } });
    const text = container.textContent.replaceAll(/\s+/g, ' ');
    unmount();
    return text;
  };
  expect(shown(true)).toContain('Orders can then be sent on Meridian main. Unlocking sends nothing.');
  expect(shown(false)).toContain('Trading is off until a test of this connection succeeds. Unlocking');
  expect(shown(false)).not.toContain('can then be sent');
});
