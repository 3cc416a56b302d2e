import { afterEach, describe, expect, it } from 'vitest';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import type { MenuAction } from '../../../src-shared/ipc/calls-app.ts';

function openSheet(): void {
  const sheet = document.createElement('dialog');
  sheet.setAttribute('open', '');
  document.body.append(sheet);
}
afterEach(() => document.body.replaceChildren());

/** Returns what entries of the native menu do, one after another. */
async function chosen(actions: readonly MenuAction[]) {
  const one = await fixture();
  const { navigation, help, settings } = one.app;
  const before = navigation.ticketShown;
  for (const action of actions) one.push('menu', { do: action });
  await Promise.resolve();
  return {
    screen: navigation.screen,
    palette: navigation.paletteOpen,
    help: help.open,
    ticketTurned: navigation.ticketShown !== before,
    privacy: one.requests.some(({ name }) => name === 'settings.set') || settings.value.privacy,
    diagnostics: one.count('app.saveDiagnostics'),
  };
}

describe('an entry of the native menu', () => {
  it('performs its action', async () => {
    expect(await chosen(['palette', 'about'])).toMatchObject({ palette: true, screen: 'settings' });
    expect(await chosen(['shortcuts'])).toMatchObject({ help: 'shortcuts' });
    expect(await chosen(['privacy', 'diagnostics'])).toMatchObject({ privacy: true, diagnostics: 1 });
  });

  it('goes to the ticket, shown or not, and hides it only from there', async () => {
    const { app, push } = await fixture();
    const { navigation } = app;
    const ticket = document.createElement('div');
    ticket.dataset['ticket'] = '';
    ticket.append(document.createElement('input'));
    document.body.append(ticket);
    const choose = (): readonly [shown: boolean, enters: boolean] => {
      navigation.entersTicket = false;
      push('menu', { do: 'ticket' });
      return [navigation.ticketShown, navigation.entersTicket];
    };
    // Over the screen, so that no setting decides whether it is shown.
    navigation.narrow = true;
    expect(choose()).toEqual([true, true]);
    expect(choose()).toEqual([true, true]);
    ticket.querySelector('input')?.focus();
    expect(choose()).toEqual([false, false]);
    expect(choose()).toEqual([true, true]);
  });

  it('does not open or move anything behind a sheet, but still hides amounts and saves diagnostics', async () => {
    openSheet();
    expect(await chosen(['palette', 'shortcuts', 'whats-new', 'settings', 'about', 'ticket'])).toEqual({
      screen: 'overview',
      palette: false,
      help: null,
      ticketTurned: false,
      privacy: false,
      diagnostics: 0,
    });
    expect(await chosen(['privacy', 'diagnostics'])).toMatchObject({ privacy: true, diagnostics: 1 });
  });
});
