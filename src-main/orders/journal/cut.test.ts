/** A journal cut at any byte, or with zeros in place of its end as a power cut leaves: a lost send is not denied. */
import { beforeAll, describe, expect, it } from 'vitest';
import { awaitsOutcome } from '../../../src-shared/domain/reconcile/lifecycle.ts';
import { mayConcern } from '../../../src-shared/ipc/orders.ts';
import type { BatchIntent } from '../../../src-shared/ipc/batch.ts';
import type { PostOutcome } from '../../exchange/outcome.ts';
import { damageText } from './damage-text.ts';
import {
  accepted,
  acceptedAs,
  fixture,
  intent,
  lost,
  rejected,
  token,
} from '../../../tests/orders/scripted-order-service.ts';
import { dataOf } from '../../../tests/shared/data-of.ts';

const notSent: PostOutcome = {
  outcome: 'not-sent',
  failure: { kind: 'offline', message: 'No connection.', next: 'Try again.' },
};

/** Orders of every outcome, a batch and a row of closing ones that was left out. */
async function writtenJournal(): Promise<string> {
  const b = await fixture();
  const one = (side: 'BUY' | 'SELL') => b.orders.send(token(b.orders, intent({}, { side })), 'BTC-USDT-M');
  b.answers = [accepted, rejected, notSent, lost];
  for (const side of ['BUY', 'SELL', 'BUY', 'SELL'] as const) await one(side);
  await b.orders.decisions.dismiss('id-8', 'BTC-USDT-M');
  const request = { ...intent().request, symbolId: 'ETH-USDT-M' };
  const rows: BatchIntent['rows'] = [1, 2].map(() => ({ request, reference: null }));
  b.answers = [acceptedAs(true), accepted];
  await batch(b, { connectionId: 'practice', rows, callSize: 2 });
  const closing = { symbolId: 'BTC-USDT-M', side: 'SELL', type: 'MARKET', reduceOnly: true } as const;
  const closes: BatchIntent['rows'] = ['1', '2'].map((id) => ({
    request: closing,
    reference: null,
    closes: id,
  }));
  b.gone = ['1'];
  await batch(b, { connectionId: 'practice', rows: closes, callSize: 1 });
  return b.file.text;
}

async function batch(b: Awaited<ReturnType<typeof fixture>>, one: BatchIntent): Promise<void> {
  const review = await b.orders.batches.review(one);
  if (!review.ok || !('review' in review.data)) throw new Error(JSON.stringify(review));
  dataOf(await b.orders.batches.send(review.data.review.token, ['ETH-USDT-M', 'BTC-USDT-M']));
  while (b.orders.batches.sending().length > 0) await Promise.resolve();
}

interface WrittenLine {
  readonly intent: string;
  readonly event: string;
  readonly end: number;
  readonly head?: { readonly symbolId: string; readonly side: string };
}

describe('a cut journal', () => {
  let text = '';
  let lines: WrittenLine[] = [];
  beforeAll(async () => {
    text = await writtenJournal();
    let end = 0;
    lines = text
      .trimEnd()
      .split('\n')
      .map((raw) => ({ ...(JSON.parse(raw) as WrittenLine), end: (end += raw.length + 1) - 1 }));
  });

  it('has orders of all kinds', () => {
    const events = new Set(lines.map(({ event }) => event));
    for (const one of ['accept', 'reject', 'fail-before-send', 'lose', 'close', 'take', 'abandon'])
      expect(events).toContain(one);
  });

  it.each([
    ['nothing', '', 1],
    ['zeros', '\0'.repeat(700), 7],
  ])('with %s after it calls no order not sent whose send may be lost', async (_what, tail, step) => {
    for (let cut = 0; cut <= text.length; cut += step) {
      const after = await fixture(text.slice(0, cut) + tail);
      const damage = after.journal.allDamage();
      const notices = damageText(after.journal).flat().join(' ');
      await after.orders.recover();
      const complete = lines.filter(({ end }) => end + Math.sign(tail.length) <= cut);
      for (const id of new Set(complete.map((line) => line.intent))) {
        const isSaid = hasEvent(complete, id, ['fail-before-send', 'abandon']);
        expect([cut, id, after.journal.get(id)?.state === 'not-sent']).toEqual([cut, id, isSaid]);
      }
      const torn = lines.find(({ end }, at) => end > cut && cut > (lines[at - 1]?.end ?? -1) + 1);
      expect([cut, notices.includes('never sent')]).toEqual([cut, false]);
      if (torn === undefined) continue;
      const head = lines.find((line) => line.intent === torn.intent)?.head;
      const isHeld = damage.some((one) => mayConcern(one, head?.symbolId ?? '', head?.side ?? ''));
      const record = after.journal.get(torn.intent);
      const isOpen =
        record !== null && (awaitsOutcome(record.state) || hasEvent(complete, record.id, OUTCOMES));
      expect([cut, torn.event, isHeld || isOpen]).toEqual([cut, torn.event, true]);
    }
  });
});

const OUTCOMES = ['accept', 'reject', 'fail-before-send', 'abandon', 'close'];

const hasEvent = (lines: readonly WrittenLine[], intentId: string, events: readonly string[]): boolean =>
  lines.some((one) => one.intent === intentId && events.includes(one.event));
