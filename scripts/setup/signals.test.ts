import { expect, it } from 'vitest';
import { isForChild } from './signals.mjs';

it('forwards signals to this process alone, not those a terminal sends to all', () => {
  const withTerminal = { platform: 'linux', onTerminal: false } as const;
  const terminal = { platform: 'linux', onTerminal: true } as const;
  const windows = { platform: 'win32', onTerminal: false } as const;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    expect(isForChild(signal, withTerminal)).toBe(true);
  expect([isForChild('SIGINT', terminal), isForChild('SIGHUP', terminal)]).toEqual([false, false]);
  expect(isForChild('SIGTERM', terminal)).toBe(true);
  // A forwarded signal would kill the child, which gets its own Ctrl C.
  expect(isForChild('SIGINT', windows)).toBe(false);
});
