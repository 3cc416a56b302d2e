import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { begin, play, replies } from '../../tests/practice/play.ts';
import { START } from '../../tests/practice/engine-of.ts';
import { CONTRACTS } from '../../tests/practice/session.ts';
import type { Session, Step } from '../../tests/practice/session.ts';
import { Engine, ENGINE_VERSION } from './engine.ts';

/**
 * The hash of this version's replies. A stored exchange is replayed from its inputs, so a change of replies would
 * change a user's account after an update. If the change is intended, raise `ENGINE_VERSION` and update the hash.
 */
const PINNED = { version: 5, hash: 'cc4b06963040352bceb256f5275cfe24d2b8ec98301c5d3df0e684a2b0ec28f8' };

/** Every kind of step on every contract, both modes and conventions, through a settlement; no random test input. */
function script(mode: Session['mode'], convention: Session['convention']): Session {
  const steps: Step[] = [];
  for (let n = 0; n < 4 * CONTRACTS; n += 1) {
    const market = (n * 5) % CONTRACTS;
    const flag = (['none', 'tpSl', 'reduceOnly', 'none', 'postOnly', 'reverse', 'closeAll'] as const)[n % 7]!;
    steps.push({
      kind: 'place',
      market,
      buy: n % 3 !== 0,
      type: n % 4 === 0 ? 'LIMIT' : 'MARKET',
      timeInForce: (['GTC', 'IOC', 'FOK'] as const)[n % 3]!,
      size: 150 + n * 29,
      away: (n % 9) * 12 - 40,
      flag,
    });
    if (n % 4 === 3) steps.push({ kind: 'pass', ms: 700 + n * 211 });
    if (n % 11 === 10) steps.push({ kind: 'shock', market, percent: [60, 160, 35, 300][n % 4]! });
    if (n % 13 === 12)
      steps.push({ kind: 'grant', market, atoms: 12_345_678 }, { kind: 'cancel', nth: n % 3 });
    if (n === 30) steps.push({ kind: 'expire', market: CONTRACTS - 2, early: 2_500 });
  }
  const settings = [2, 5, 8, 12].map((market, i) => ({
    market,
    leverage: 5 + 10 * i,
    isolated: i % 2 === 0,
  }));
  return { seed: 77, convention, mode, start: EVE, settings, steps };
}

const EVE = Date.UTC(2026, 11, 24, 6);

function bytesOf(each: Session): string {
  const engine = begin(each);
  const answers = each.steps.map((step) => play(engine, step) + engine.account(engine.now));
  return [...answers, replies(engine), engine.symbolConfig(engine.now)].join('\n');
}

it('replies with the pinned bytes of this engine version', () => {
  const hash = createHash('sha256');
  hash.update(bytesOf(script('ONEWAY', 'flat')));
  hash.update(bytesOf(script('HEDGE', 'marginal')));
  const past = { seed: 9, start: START, history: 500, convention: 'flat', order: 'desc' } as const;
  hash.update(replies(new Engine({ ...past, contracts: 20 })));
  expect({ version: ENGINE_VERSION, hash: hash.digest('hex') }).toEqual(PINNED);
});
