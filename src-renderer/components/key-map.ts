/** Every key as the window has it: the shortcuts sheet and Settings show this one table. */
export interface KeyGroup {
  readonly title: string;
  /** `Mod` is Ctrl, or ⌘ on a Mac; alternatives are apart by ` / `. */
  readonly keys: readonly (readonly [keys: string, action: string])[];
}

export const KEY_MAP: readonly KeyGroup[] = [
  {
    title: 'Everywhere',
    keys: [
      ['Mod K', 'Search or run a command'],
      ['?', 'This list, outside inputs'],
      ['Mod 1–6', 'Screens, in the rail’s order'],
      ['F2', 'Go to the ticket; hide it'],
      ['Mod L', 'Lock trading, as set in Settings; unlocking asks'],
      ['Mod Shift H', 'Hide amounts, or show them'],
      ['Mod + / Mod − / Mod 0', 'Zoom in, out, actual size'],
      ['Tab / Shift Tab', 'Next part of the window, the one before'],
      ['Space', 'Press, tick, choose'],
      ['Esc', 'Back'],
    ],
  },
  {
    title: 'Ticket',
    keys: [
      ['B / S', 'Buy, sell, outside inputs'],
      ['L / M', 'Limit, market, outside inputs'],
      ['Alt 1–5', 'Size by quantity, notional, times equity, share of free margin, risk'],
      ['F9', 'Review the order; does nothing inside the sheet'],
      ['Mod Enter', 'Send, in the sheet only'],
    ],
  },
  {
    title: 'Tables',
    keys: [
      ['↑ / ↓ / Home / End', 'Move, to the first, to the last'],
      ['PgUp / PgDn', 'Move by a page'],
      [
        '→ / ←',
        'Expand the row, fold it; → again goes to its buttons. In the head: along it, ↓ into the rows',
      ],
      ['Enter', 'Act on the row; in Positions, choose its contract for ticket and Risk'],
      ['Shift F10', 'Menu of the position, as the menu key and right click'],
      ['/', 'Filter'],
      ['C', 'Close the position, in Positions'],
      ['Mod C', 'Copy the position’s record, in Positions'],
    ],
  },
  {
    title: 'Batch and trades',
    keys: [
      ['F9', 'Review the batch'],
      ['F8 / Shift F8', 'Next, last cell that is wrong'],
      ['Mod E', 'Export, in Trades'],
      ['Mod F', 'Filter, in Trades'],
      ['Mod A / Mod C', 'All rows of the log; copy the selected rows as CSV'],
      ['Mod Shift C', 'Copy the trade’s order ID'],
    ],
  },
];

/** The keys of one entry as caps: alternatives, each a sequence held together. */
export const capsOf = (keys: string, mac: boolean): readonly (readonly string[])[] =>
  keys === '/'
    ? [['/']]
    : keys
        .split(' / ')
        .map((one) => one.split(' ').map((key) => (key === 'Mod' ? (mac ? '⌘' : 'Ctrl') : key)));
