import { isLater } from '../../src-shared/domain/version.ts';

/** What changed by version, newest first, in the words of whoever uses it. */
export interface Change {
  readonly version: string;
  readonly lines: readonly string[];
}

export const CHANGES: readonly Change[] = [
  {
    version: '0.1.0',
    lines: [
      'Positions, risk, the order ticket, batches, the trade log with exports, alerts and the practice exchange.',
      'The command palette finds screens, actions, contracts, positions and settings; ? lists every key.',
      'The window opens where it was, with its zoom; a CSV opened with Ballast becomes a batch.',
      'Amounts can be hidden (Ctrl/Cmd Shift H); numbers and dates can be written as you are used to.',
      'Trading can be locked; a stricter lock lets the key go and reads nothing until you unlock.',
      'A connection can be exported without its secrets, read more gently, and removed with its archive.',
    ],
  },
];

/** Versions after the one that was seen last. */
export const changesSince = (seen: string, changes: readonly Change[] = CHANGES): readonly Change[] =>
  changes.filter(({ version }) => isLater(version, seen));
