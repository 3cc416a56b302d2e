import { fireEvent, render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { done, failed, type Result } from '../../../src-shared/ipc/failures.ts';
import { fixture, settled } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import DataFolder from './DataFolder.svelte';

/** Returns the calls made after the user read, typed and pressed. */
async function removed(unknown: number) {
  const { app, requests } = await fixture('live', {
    'data.unknownOrders': () => done(unknown),
    'data.removeAll': () => done(null),
  });
  render(InApp, { app, component: DataFolder });
  await fireEvent.click(screen.getByRole('button', { name: 'Remove all data…' }));
  await settled();
  await fireEvent.input(screen.getByLabelText('Type “remove” to remove all of it'), {
    target: { value: 'remove' },
  });
  await fireEvent.click(screen.getByRole('button', { name: 'Remove all data and quit' }));
  return requests.filter(({ name }) => name === 'data.removeAll').map(({ input }) => input);
}

it('says how many outcomes are unknown before their journal is removed', async () => {
  const requests = await removed(2);
  expect(screen.getByText('The outcome of 2 orders is unknown')).toBeTruthy();
  expect(screen.getByText(/They may or may not have been placed/)).toBeTruthy();
  expect(requests).toEqual([{ leaveSecrets: false, shownUnknown: 2 }]);
});

it('does not mention them when every outcome is known', async () => {
  const requests = await removed(0);
  expect(screen.queryByText(/is unknown/)).toBeNull();
  expect(requests).toEqual([{ leaveSecrets: false, shownUnknown: 0 }]);
});

it('asks for the word again after it was closed', async () => {
  const { app } = await fixture('live', { 'data.unknownOrders': () => done(0) });
  render(InApp, { app, component: DataFolder });
  for (const typed of ['remove', '']) {
    await fireEvent.click(screen.getByRole('button', { name: 'Remove all data…' }));
    await settled();
    const word = screen.getByLabelText('Type “remove” to remove all of it');
    if (typed !== '') await fireEvent.input(word, { target: { value: typed } });
    expect(screen.getByRole('button', { name: 'Remove all data and quit' })).toHaveProperty(
      'disabled',
      typed === '',
    );
    await fireEvent.click(screen.getByRole('button', { name: /Keep everything/ }));
  }
});

it('says why nothing was removed although it was closed while the keychain asked', async () => {
  const held = Promise.withResolvers<Result<null>>();
  const { app } = await fixture('live', {
    'data.unknownOrders': () => done(0),
    'data.removeAll': () => held.promise,
  });
  render(InApp, { app, component: DataFolder });
  await fireEvent.click(screen.getByRole('button', { name: 'Remove all data…' }));
  await settled();
  await fireEvent.input(screen.getByLabelText(/^Type “remove”/), { target: { value: 'remove' } });
  await fireEvent.click(screen.getByRole('button', { name: 'Remove all data and quit' }));
  app.session.replace({ ...app.session.state!, keychain: { state: 'waiting', message: '' } });
  await settled();
  await fireEvent.click(screen.getByRole('button', { name: /^Close Esc/ }));
  held.resolve(failed({ kind: 'keychain', message: 'The keychain is locked.', next: 'Unlock it.' }));
  await settled();
  expect(app.notices.list.map(({ title }) => title)).toEqual(['The keychain is locked.']);
});
