/** The palette's own entries: screens, actions of the frame, connections, contracts. */
import type { AppState } from '../state/app-state.svelte.ts';
import type { Command } from '../state/commands.svelte.ts';
import type { Screen } from '../screens.ts';

export function frameCommands(app: AppState, screens: readonly Screen[], onlock: () => void): Command[] {
  const mac = app.session.state?.app.platform === 'darwin';
  const control = mac ? '⌘' : 'Ctrl';
  const dark = app.settings.theme === 'dark';
  const shown = app.navigation.ticketShown;
  return [
    ...screens.map((screen, index) => ({
      id: `screen:${screen.name}`,
      title: screen.label,
      note: 'screen',
      ...(screen.last ? {} : { keys: `${control} ${index + 1}` }),
      run: () => app.navigation.go(screen.name),
    })),
    {
      id: 'ticket',
      title: shown ? 'Close the ticket' : 'Open the ticket',
      keys: 'F2',
      run: () => app.navigation.toggleTicket(),
    },
    {
      id: 'lock',
      title: app.session.locked ? 'Unlock trading…' : 'Lock trading',
      keys: `${control} L`,
      run: onlock,
    },
    { id: 'refresh', title: 'Read the account again', run: () => void app.feeds.refresh('account') },
    {
      id: 'theme',
      title: dark ? 'Light theme' : 'Dark theme',
      run: () => void app.settings.change({ theme: dark ? 'light' : 'dark' }),
    },
    ...app.session.connections
      .filter((one) => one.id !== app.session.activeId)
      .map((one) => ({
        id: `connection:${one.id}`,
        title: `Switch to ${one.settings.name}`,
        note: one.kind === 'practice' ? 'PRACTICE' : 'LIVE',
        run: () => void app.selectConnection(one.id),
      })),
    ...(app.feeds.contracts.value ?? []).map((one) => ({
      id: `contract:${one.symbolId}`,
      title: one.symbolId,
      note: 'contract in the ticket',
      run: () => app.navigation.trade({ symbolId: one.symbolId }),
    })),
  ];
}
