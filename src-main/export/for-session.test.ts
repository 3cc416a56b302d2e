import { expect, it } from 'vitest';
import { practiceSummary } from '../session/stored.ts';
import { exportOrigin } from './for-session.ts';

it('fails, and is no defect, where the practice exchange cannot start', async () => {
  const origin = exportOrigin(
    {
      session: { summary: () => practiceSummary(null) } as never,
      vault: null as never,
      practice: () => Promise.reject(new Error('ENOSPC')),
      connection: null as never,
      archiveFile: () => '',
    },
    'practice',
  );
  const signal = new AbortController().signal;
  const ended = await origin?.run({ query: null as never, out: '' }, { signal, onStatus: () => undefined });
  expect(ended).toMatchObject({
    ok: false,
    failure: { message: 'The practice exchange could not be started.' },
  });
});
