import { describe, expect, it } from 'vitest';
import { done } from '../../src-shared/ipc/failures.ts';
import type { PracticeState, PracticeTerms } from '../../src-shared/ipc/practice.ts';
import { changed, followed } from './practice-access.ts';
import { practiceLine, practiceSource, type PracticeSource } from './practice-source.ts';

const CONTROLS = { url: 'http://127.0.0.1:4', token: 'token' };
const OTHER: PracticeTerms = { triggerTypes: ['MARKET_PRICE', 'FAIR_PRICE'], convention: 'marginal' };

const own = (): PracticeSource =>
  practiceSource(null, () =>
    Promise.resolve({
      ...{ url: 'http://127.0.0.1:3', credentials: { key: 'key', secret: 'secret' }, controls: CONTROLS },
      ...{
        exchangeId: 'first',
        settings: { triggerTypes: ['LAST_PRICE', 'MARK_PRICE'], convention: 'flat' },
      },
      stop: () => Promise.resolve(),
    }),
  );
const startedManually = (more: object = {}): PracticeSource => {
  const line = { url: 'http://127.0.0.1:3', key: 'key', secret: 'secret', controls: CONTROLS, ...more };
  return practiceSource(practiceLine(JSON.stringify(line)), () => Promise.reject(new Error('not started')));
};
const state = (exchangeId: string): PracticeState => ({
  ...{ clock: { now: 0, speed: 1 }, seed: 1, exchangeId, settings: OTHER, contracts: [], resting: [] },
  ...{ account: { openOrders: 0 }, balances: [], faults: [] },
});
function session() {
  const reopened: number[] = [];
  return {
    reopened,
    current: () => ({ id: 'practice' }),
    reopen: () => {
      reopened.push(1);
      return Promise.resolve();
    },
  };
}

describe('a practice exchange that restarted with other habits', () => {
  it('is reopened with matching settings', async () => {
    const [practice, one] = [own(), session()];
    await practice.access();
    await followed(practice, one, () => Promise.resolve(done(state('first'))));
    expect(one.reopened).toEqual([]);
    await followed(practice, one, () => Promise.resolve(done(state('second'))));
    expect(one.reopened).toEqual([1]);
    expect(await practice.access()).toMatchObject({ exchangeId: 'second', settings: OTHER });
  });

  it('is not restarted if it was started manually', async () => {
    const habits = { 'page-base': '0' };
    const ask = () => Promise.resolve(done(state('first')));
    const [hand, app] = [startedManually(), own()];
    for (const practice of [hand, app]) await practice.access();
    expect(await changed(hand, session(), { do: 'reset', habits }, ask)).toMatchObject({
      failure: { kind: 'blocked', next: 'Start it again with --habit NAME=VALUE or --habits FILE.' },
    });
    expect(await changed(hand, session(), { do: 'reset' }, ask)).toMatchObject({ ok: true });
    expect(await changed(app, session(), { do: 'reset', habits }, ask)).toMatchObject({ ok: true });
  });
});

it('a printed line names its settings where they are not the usual ones', async () => {
  expect(await startedManually().access()).toMatchObject({
    settings: { triggerTypes: ['LAST_PRICE', 'MARK_PRICE'], convention: 'flat' },
  });
  expect(await startedManually({ settings: OTHER }).access()).toMatchObject({ settings: OTHER });
});
