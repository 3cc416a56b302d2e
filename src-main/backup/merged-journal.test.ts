import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/archive/trades.ts';
import { line } from '../../tests/backup/profiles.ts';
import { openJournal } from '../orders/journal/journal.ts';
import type { IntentHead, Step } from '../orders/journal/lines.ts';
import { maxBytesOf } from './contents.ts';
import { mergedJournal } from './merged-journal.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** Returns the pieces of the merged file; '' is none. */
function piecesOf(backup: string | Buffer, present: string | Buffer): Buffer[] {
  const paths = ['backup', 'present'].map((name) => join(folder.path, name)) as [string, string];
  for (const [index, content] of [backup, present].entries()) {
    rmSync(paths[index]!, { force: true });
    if (content.length > 0) writeFileSync(paths[index]!, content);
  }
  return [...mergedJournal(...paths)];
}
const mergedOf = (...both: Parameters<typeof piecesOf>): Buffer => Buffer.concat(piecesOf(...both));

describe('two journals', () => {
  const [a, b, c] = ['a', 'b', 'c'].map(line) as [string, string, string];
  it.each([
    ['the present one continues the backup’s', a, a + b, a + b],
    ['the backup’s line was cut while it was written', a + b.slice(0, 5), a + b, a + b],
    ['the backup’s is newer', a + b, a, a + b],
    ['there is none here', a, '', a],
    ['there is none in the backup', '', a, a],
    ['both go on from the same', a + b, a + c, a + b + c],
    ['merged before', c + a, a + b, c + a + b],
    ['the backup’s last line was cut', a + b.slice(0, -5), a + c, `${a}${b.slice(0, -5)}\n${c}`],
    ['the present last line was cut', a + b, a + c.slice(0, -5), a + b + c.slice(0, -5)],
  ])('become one: %s', (_, backup, present, merged) => {
    expect(mergedOf(backup, present).toString()).toBe(merged);
  });
});

it('a merged journal has the bytes of a damaged line, which are no text', () => {
  const damaged = Buffer.from([0xff, 0x61, 0x0a]);
  const [a, b] = ['a', 'b'].map((one) => Buffer.from(line(one))) as [Buffer, Buffer];
  const merged = mergedOf(Buffer.concat([a, b]), Buffer.concat([a, damaged]));
  expect(merged).toEqual(Buffer.concat([a, b, damaged]));
});

it('a merged journal knows the orders of both, and an unknown outcome stays to be reconciled', async () => {
  const head: IntentHead = {
    ...{ connectionId: 'live-1', connectionKind: 'live', kind: 'order', symbolId: 'BTC-USDT-M', side: 'BUY' },
    ...{ type: 'MARKET', path: '/order', body: '{}', knownIds: [] },
  };
  const step = (event: Step['event'], at: number): Step => ({ event, text: event, at, mono: at });
  /** Continues a journal by one order, which gets a reply or none. */
  async function sent(text: string, intent: string, end: 'accept' | 'lose'): Promise<string> {
    let written = text;
    const file = {
      read: () => Promise.resolve(Buffer.from(text)),
      append: (more: string) => Promise.resolve(void (written += more)),
    };
    const journal = await openJournal(file);
    await journal.write(intent, [step('record', 1), step('send', 2)], head);
    await journal.write(intent, [{ ...step(end, 3), ...(end === 'accept' ? { orderId: intent } : {}) }]);
    return written;
  }
  const common = await sent('', '1', 'lose');
  const backup = await sent(common, '2', 'accept');
  const present = await sent(common, '3', 'lose');
  const merged = await openJournal({
    read: () => Promise.resolve(mergedOf(backup, present)),
    append: () => Promise.resolve(),
  });
  expect(merged.damaged).toBe(0);
  expect(merged.list('live-1').map(({ id, state }) => [id, state])).toEqual([
    ['3', 'unknown'],
    ['2', 'accepted'],
    ['1', 'unknown'],
  ]);
});

it('takes journals of any size: by pieces, in a backup, too', () => {
  const lines = Array.from({ length: 60 }, (_, index) => line(`${index} ${'x'.repeat(100_000)}`));
  const [both, own] = [lines.slice(0, 40), lines.slice(40)];
  for (const [backup, present] of [
    [both, lines],
    [lines, both],
    [[...both, line('b')], lines],
  ] as const) {
    const pieces = piecesOf(backup.join(''), present.join(''));
    expect(Math.max(...pieces.map((one) => one.length))).toBeLessThanOrEqual(1 << 20);
    const merged = backup.length === 41 ? [...backup, ...own] : lines;
    expect(Buffer.concat(pieces).equals(Buffer.from(merged.join('')))).toBe(true);
  }
  // 100,000 orders.
  expect(maxBytesOf('orders.jsonl')).toBeGreaterThan(2 ** 31);
});
