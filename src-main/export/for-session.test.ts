import { expect, it } from 'vitest';
import { practiceSummary } from '../session/stored.ts';
import { exportOrigin } from './for-session.ts';

function run(ports: Partial<Parameters<typeof exportOrigin>[0]>) {
  const origin = exportOrigin({ archiveFile: () => '', ...ports } as never, 'live-1');
  const { signal } = new AbortController();
  return origin?.run({ query: null as never, out: '' }, { signal, onStatus: () => undefined });
}

it('fails, and is no defect, where the practice exchange cannot start', async () => {
  const ended = await run({
    session: { summary: () => practiceSummary(null) } as never,
    practice: () => Promise.reject(new Error('ENOSPC')),
  });
  expect(ended).toMatchObject({
    ok: false,
    failure: { message: 'The practice exchange could not be started.' },
  });
});

it('says of a keychain that prompted in vain that it may be unlocked', async () => {
  const message = 'The keychain prompt was dismissed.';
  const ended = await run({
    session: { summary: () => ({ ...practiceSummary(null), kind: 'live' }) } as never,
    vault: { read: () => Promise.resolve({ state: 'unavailable', secret: null, message }) },
  });
  expect(ended).toMatchObject({
    failure: { kind: 'keychain', message, next: 'Unlock the keychain, or enter the secret again.' },
  });
});
