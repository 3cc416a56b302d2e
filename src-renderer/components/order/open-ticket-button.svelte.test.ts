import { fireEvent, render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import OpenTicketButton from './OpenTicketButton.svelte';

it('goes to the ticket, as the key on it does', async () => {
  const { app } = await fixture();
  app.navigation.narrow = true;
  render(InApp, { app, component: OpenTicketButton });
  await fireEvent.click(screen.getByRole('button'));
  expect([app.navigation.ticketShown, app.navigation.entersTicket]).toEqual([true, true]);
});
