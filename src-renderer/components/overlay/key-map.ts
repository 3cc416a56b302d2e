/** All keyboard shortcuts, for the shortcuts sheet and Settings. */
interface KeyGroup {
  readonly title: string;
  /** `Mod` is Ctrl, or ⌘ on a Mac; alternatives are separated by ` / `. */
  readonly keys: readonly (readonly [keys: string, action: string])[];
}

export const KEY_MAP: readonly KeyGroup[] = [
  {
    title: 'Everywhere',
    keys: [
      ['Mod K', 'Search or run a command'],
      ['?', 'Show this list (outside text fields)'],
      ['Mod 1–7', 'Go to a screen'],
      ['F2', 'Go to the ticket, or hide it'],
      ['Mod L', 'Lock or unlock trading'],
      ['Mod Shift H', 'Hide or show amounts'],
      ['Mod + / Mod − / Mod 0', 'Zoom in, out, actual size'],
      ['Tab / Shift Tab', 'Next or previous element'],
      ['Space', 'Press, tick or select'],
      ['Esc', 'Back'],
    ],
  },
  {
    title: 'In the ticket',
    keys: [
      ['B / S', 'Buy or sell (outside text fields)'],
      ['L / M', 'Limit or market (outside text fields)'],
      ['Alt 1–5', 'Size by quantity, notional, equity multiple, free margin or risk'],
      ['↑ / ↓', 'One tick, lot or percent more or less in its numbers; ten with Shift'],
      ['F9 / Enter', 'Review the order (F9 from anywhere, Enter in its numbers)'],
      ['Mod Enter', 'Send (in the review only)'],
    ],
  },
  {
    title: 'Edges between panes',
    keys: [
      ['← / → / ↑ / ↓', 'Move the edge'],
      ['Home / End', 'Smallest, largest'],
      ['Enter', 'Default size, as a double click'],
    ],
  },
  {
    title: 'Tables',
    keys: [
      ['↑ / ↓ / Home / End', 'Previous, next, first or last row'],
      ['PgUp / PgDn', 'Previous or next page'],
      [
        '→ / ←',
        'Expand or collapse the row; → again moves to its buttons. In the header: previous or next column, ↓ to the rows',
      ],
      ['Enter', 'Open the row; in Positions, select its contract in the ticket and Risk'],
      ['Shift F10', 'Menu of the position or order (also: menu key, right-click)'],
      ['/', 'Filter'],
      ['C', 'Close the position, in Positions'],
      ['Shift ↑ / Shift ↓', 'Select rows, in Trades and lists of orders (also: Shift and a click)'],
      // Not ⌘, which opens Spotlight with it.
      ['Ctrl Space', 'Add a row to that selection, or remove it (also: Ctrl or ⌘ and a click)'],
      ['N', 'Note of the row’s order or round trip; tags of the selected rows'],
      ['E', 'Explain the liquidation price, in Positions'],
      ['Mod C', 'Copy the position’s record, in Positions'],
    ],
  },
  {
    title: 'Batch and trades',
    keys: [
      ['F9', 'Review the batch'],
      ['F8 / Shift F8', 'Next or previous cell with an error'],
      ['Mod E', 'Export, in Trades'],
      ['Mod F', 'Filter, in Trades'],
      ['Mod A / Mod C', 'Select all rows; copy the selected rows as CSV'],
      ['Mod Shift C', 'Copy the trade’s order ID'],
      ['Enter / ,', 'Add the typed tag; Esc discards a note that is not saved'],
    ],
  },
];

/** Returns an entry's keys for display: its alternatives, each a sequence of keys pressed together. */
export const capsOf = (keys: string, control: string): readonly (readonly string[])[] =>
  keys === '/'
    ? [['/']]
    : keys.split(' / ').map((one) => one.split(' ').map((key) => (key === 'Mod' ? control : key)));
