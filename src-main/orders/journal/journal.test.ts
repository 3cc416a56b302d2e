import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import fc from 'fast-check';
import { mayConcern, type CheckRound } from '../../../src-shared/ipc/orders.ts';
import { journalFile } from './file.ts';
import { HEAD, memoryFile } from '../../../tests/orders/memory-file.ts';
import { openJournal, type IntentWrite, type Journal } from './journal.ts';
import type { IntentHead, Step } from './lines.ts';

const head: IntentHead = { ...HEAD, knownIds: ['9007199254740993'] };
const step = (event: Step['event'], at = 1): Step => ({ event, text: event, at, mono: at });

const check = (round: number): CheckRound => ({
  round,
  at: round,
  since: 0,
  reads: [],
  verdict: 'absent',
  candidates: [],
  hints: [],
  nextAt: null,
});

async function opened(text = '') {
  const file = memoryFile(text);
  return { file, journal: await openJournal(file) };
}

describe('journal', () => {
  it('restores the same records after a restart', async () => {
    const { file, journal } = await opened();
    await journal.write('a', [step('record'), step('send')], head);
    await journal.write('a', [{ ...step('accept', 2), orderId: '734829105569914880' }]);
    const again = await openJournal(memoryFile(file.text));
    expect(again.get('a')).toEqual(journal.get('a'));
    expect(again.get('a')).toMatchObject({ state: 'accepted', orderId: '734829105569914880' });
    expect(again.head('a')).toEqual({ ...head, knownIds: null });
    expect(again.get('a')?.events).toStrictEqual(
      (['recorded', 'sending', 'accepted'] as const).map((state, index) => ({
        ...{ at: index < 2 ? 1 : 2, state },
        text: ['record', 'send', 'accept'][index],
      })),
    );
  });

  it.each<[readonly Step['event'][], boolean]>([
    [[], true],
    [['accept'], false],
    [['reject'], false],
    [['fail-before-send'], false],
    [['lose'], true],
    [['lose', 'check', 'land'], true],
    [['lose', 'check', 'land', 'disown'], true],
    [['lose', 'claim'], false],
    [['lose', 'close'], true],
  ])('has the orders known before the send after %j only while one is searched for', async (events, has) => {
    const { file, journal } = await opened();
    const orderId = '734829105569914880';
    const ends = events.map((event) => ({
      ...step(event),
      ...(['accept', 'land', 'disown', 'claim'].includes(event) ? { orderId } : {}),
    }));
    await journal.write('a', [step('record'), step('send'), ...ends], head);
    for (const one of [journal, await openJournal(file)])
      expect(one.head('a')).toEqual({ ...head, knownIds: has ? head.knownIds : null });
  });

  it.each<[string, Partial<IntentHead>]>([
    ['a close of a whole position', { kind: 'close-all', side: 'SELL', type: 'MARKET', position: '2.5' }],
    ['a row of a batch', { batch: { id: 'b', row: 1, of: 3, call: 0 } }],
    ['a row that closes', { batch: { id: 'b', row: 1, of: 3, call: 0, closing: true } }],
    ['an order before the first reply', { clockOffsetMs: null, position: null, knownIds: [] }],
  ])('restores %s after a restart', async (_what, changes) => {
    const file = memoryFile();
    const own = { ...head, ...changes };
    const journal = await openJournal(file);
    await journal.write('a', [step('record'), step('send')], own);
    const again = await openJournal(file);
    expect([again.damaged, again.head('a')]).toEqual([0, own]);
    expect(again.get('a')).toEqual(journal.get('a'));
    expect(again.unresolved()).toHaveLength(1);
  });

  it.each([
    [null, false],
    ['', true],
    ['\0'.repeat(40), true],
    ['{"v":1', false],
  ])('knows an emptied file from a new one: %j', async (content, isEmptied) => {
    const journal = await openJournal({
      ...memoryFile(),
      read: () => Promise.resolve(content === null ? null : Buffer.from(content)),
    });
    expect(journal.isEmptied).toBe(isEmptied);
  });

  it('makes no string of the whole file: Node cannot of more than 512 MB, and would not start', async () => {
    const file = memoryFile();
    for (const id of ['a', 'b', 'c']) await (await openJournal(file)).write(id, [step('record')], head);
    const { text } = file;
    const content = Buffer.from(text);
    const decoded = vi.spyOn(content, 'toString');
    const journal = await openJournal({ ...memoryFile(), read: () => Promise.resolve(content) });
    expect(journal.list('practice')).toHaveLength(3);
    const sizes = decoded.mock.calls.map(([, from = 0, to = content.length]) => to - from);
    expect(Math.max(...sizes)).toBe(Math.max(...text.split('\n').map((line) => Buffer.byteLength(line))));
  });

  it('reads the failures of earlier versions under their present name', async () => {
    const { file, journal } = await opened();
    const failure = { kind: 'rejected', message: 'No.', next: 'Less.', code: '700017' } as const;
    await journal.write('a', [step('record'), step('send')], head);
    await journal.write('a', [{ ...step('reject', 2), failure }]);
    await journal.write('b', [step('record'), step('send')], head);
    await journal.write('b', [{ ...step('fail-before-send', 2), failure: { ...failure, kind: 'blocked' } }]);
    const text = file.text.replace('"rejected"', '"refused"').replace('"blocked"', '"denied"');
    const earlier = await openJournal(memoryFile(text));
    for (const id of ['a', 'b']) expect(earlier.get(id)).toEqual(journal.get(id));
  });

  it('rejects a step outside the transition table and writes nothing', async () => {
    const { file, journal } = await opened();
    await journal.write('a', [step('record')], head);
    const before = file.text;
    await expect(journal.write('a', [step('accept')])).rejects.toThrow('does not fit');
    const land = { ...step('land'), orderId: '7' };
    await expect(journal.write('gone', [land])).rejects.toThrow('land does not fit intent gone');
    expect(file.text).toBe(before);
    expect(journal.get('a')?.state).toBe('recorded');
  });

  it('shows only what is on disk, and continues after a full disk', async () => {
    const { file, journal } = await opened();
    file.full = true;
    await expect(journal.write('a', [step('record')], head)).rejects.toThrow('full');
    expect(journal.get('a')).toBeNull();
    file.full = false;
    await journal.write('a', [step('record')], head);
    expect(journal.get('a')?.state).toBe('recorded');
  });

  it.each([1, 7, 40])(
    'skips a last line torn %i bytes before its end, and keeps the next one whole',
    async (cut) => {
      const { file, journal } = await opened();
      await journal.write('a', [step('record')], head);
      await journal.write('b', [step('record')], head);
      const torn = memoryFile(file.text.slice(0, -cut - 1));
      const after = await openJournal(torn);
      expect(after.damaged).toBe(1);
      expect(after.get('b')).toBeNull();
      await after.write('c', [step('record')], head);
      const last = await openJournal(memoryFile(torn.text));
      expect(last.get('a')?.state).toBe('sending');
      expect(last.get('c')?.state).toBe('sending');
    },
  );

  it('keeps every check beside the events, and the newest ones in the record', async () => {
    const { file, journal } = await opened();
    await journal.write('a', [step('record'), step('send')], head);
    await journal.write('a', [step('lose')]);
    for (let round = 1; round <= 45; round++)
      await journal.write('a', [{ ...step('check', round), check: check(round) }]);
    const again = await openJournal(memoryFile(file.text));
    expect(again.damaged).toBe(0);
    expect(again.get('a')).toEqual(journal.get('a'));
    expect(again.get('a')).toMatchObject({ state: 'unknown', finding: { rounds: 45, absent: 45 } });
    expect(again.get('a')?.finding?.checks.map((one) => one.round)).toEqual(
      Array.from({ length: 40 }, (_, index) => index + 6),
    );
    expect(again.get('a')?.events).toHaveLength(3);
    // Only a round that found the order nowhere counts towards its absence.
    await again.write('a', [{ ...step('check', 46), check: { ...check(46), verdict: 'ambiguous' } }]);
    expect(again.get('a')?.finding).toMatchObject({ rounds: 46, absent: 45 });
  });

  it('reads the checks of earlier versions under their present names', async () => {
    const { file, journal } = await opened();
    await journal.write('a', [step('record'), step('send'), step('lose')], head);
    const list = { list: 'open-orders', outcome: 'incomplete', rows: 3 } as const;
    const whole = { ...list, outcome: 'complete' } as const;
    const round = {
      ...check(1),
      verdict: 'matched',
      reads: [{ ...list, unreadable: 2 }, list, whole],
    } as const;
    await journal.write('a', [{ ...step('check'), check: round }]);
    const older = file.text
      .replace('"unreadable":2', '"unread":2')
      .replace('"matched"', '"landed"')
      .replaceAll('"incomplete"', '"cut"')
      .replace('"complete"', '"whole"');
    expect(older).toMatch(/"unread":2.*"landed"|"landed".*"unread":2/);
    const again = await openJournal(memoryFile(older));
    expect(again.damaged).toBe(0);
    expect(again.get('a')).toEqual(journal.get('a'));
    expect(again.get('a')?.finding?.checks[0]).toMatchObject({ verdict: 'matched' });
    expect(again.get('a')?.finding?.checks[0]?.reads).toStrictEqual(round.reads);
  });

  it('reads the lists of a check as none where they cannot be read', async () => {
    const { file, journal } = await opened();
    await journal.write('a', [step('record'), step('send'), step('lose')], head);
    await journal.write('a', [{ ...step('check'), check: check(1) }]);
    const again = await openJournal(memoryFile(file.text.replace('"reads":[]', '"reads":7')));
    expect([again.damaged, again.get('a')]).toEqual([0, journal.get('a')]);
  });

  it('assigns an order id to one intent only', async () => {
    const journal = await openJournal(memoryFile());
    for (const id of ['a', 'b']) {
      await journal.write(id, [step('record'), step('send')], head);
      await journal.write(id, [step('lose')]);
    }
    const both = ['a', 'b'].map((id) => journal.write(id, [{ ...step('claim'), orderId: '7' }]));
    expect((await Promise.allSettled(both)).map((one) => one.status)).toEqual(['fulfilled', 'rejected']);
    expect(journal.get('b')?.state).toBe('unknown');
  });

  it('assigns an order id to one intent only, also in one append', async () => {
    const journal = await openJournal(memoryFile());
    for (const id of ['a', 'b', 'c']) {
      await journal.write(id, [step('record'), step('send')], head);
      await journal.write(id, [step('lose')]);
    }
    const land = (intentId: string, orderId: string): IntentWrite => ({
      intentId,
      steps: [{ ...step('land'), orderId }],
    });
    const both = await journal.writeApplicable([land('a', '7'), land('b', '7'), land('c', '8')]);
    expect(both.map((one) => one?.orderId ?? null)).toEqual(['7', null, '8']);
    await expect(journal.write('b', land('b', '8').steps)).rejects.toMatchObject({
      name: 'OrderTakenError',
      orderId: '8',
      message: 'journal: order 8 is not that of intent b',
    });
    // An id that its intent gives up in the same append is free.
    const disown = { ...step('disown'), orderId: '7' };
    await journal.writeTogether([{ intentId: 'a', steps: [disown] }, land('b', '7')]);
    expect([journal.get('a')?.state, journal.get('b')?.orderId]).toEqual(['unknown', '7']);
  });

  it('never matches an order that the user disowned to the same intent', async () => {
    const { file, journal } = await opened();
    const unlisted = { ...head, knownIds: null };
    await journal.write('a', [step('record'), step('send'), step('lose')], unlisted);
    await journal.write('a', [{ ...step('land'), orderId: '7' }]);
    expect(journal.get('a')).toMatchObject({ orderId: '7' });
    expect(journal.get('a')).not.toHaveProperty('disowned');
    expect(journal.get('a')).not.toHaveProperty('finding');
    await journal.write('a', [{ ...step('disown'), orderId: '7' }]);
    expect(journal.get('a')).toMatchObject({ orderId: null, disowned: ['7'] });
    await expect(journal.write('a', [{ ...step('land'), orderId: '7' }])).rejects.toThrow('order 7');
    await journal.write('a', [{ ...step('claim'), orderId: '8' }]);
    expect((await openJournal(file)).get('a')).toMatchObject({ orderId: '8', disowned: ['7'] });
  });

  it('writes of several intents those whose steps are still valid, and nothing of the others', async () => {
    const { file, journal } = await opened();
    for (const id of ['a', 'b']) await journal.write(id, [step('record'), step('send')], head);
    const before = { text: file.text, b: journal.get('b') };
    const lose: IntentWrite = { intentId: 'a', steps: [step('lose')] };
    const misfit = (intentId: string): IntentWrite => ({ intentId, steps: [step('lose'), step('accept')] });
    // Nothing valid: nothing is written, so a full disk does not matter.
    file.full = true;
    expect(await journal.writeApplicable([misfit('b'), misfit('gone')])).toEqual([null, null]);
    file.full = false;
    const after = await journal.writeApplicable([misfit('b'), lose, misfit('a')]);
    expect(after.map((one) => one?.state ?? null)).toEqual([null, 'unknown', null]);
    expect(file.text.slice(before.text.length).trimEnd().split('\n')).toHaveLength(1);
    expect([journal.get('a')?.events.length, journal.get('b')]).toEqual([3, before.b]);
    expect((await openJournal(file)).damaged).toBe(0);
    // Of the invalid one not even the steps before the misfit, and what another write changed stays.
    const found: IntentWrite = { intentId: 'a', steps: [{ ...step('check'), check: check(1) }] };
    const both = [found, { ...found, steps: [...found.steps, step('accept')] }];
    expect((await journal.writeApplicable(both)).map((one) => one === null)).toEqual([false, true]);
    expect(journal.get('a')?.finding?.rounds).toBe(1);
    expect((await openJournal(file)).get('a')).toEqual(journal.get('a'));
  });

  it('writes a deferred step once, before the next one', async () => {
    const { file, journal } = await opened();
    await journal.write('a', [step('record'), step('send')], head);
    expect(journal.defer('a', step('lose'))).toMatchObject({ state: 'unknown' });
    expect(() => journal.defer('a', step('accept'))).toThrow('accept does not fit intent a');
    expect(file.text).not.toContain('"event":"lose"');
    await journal.write('b', [step('record')], head);
    await journal.write('c', [step('record')], head);
    expect(file.text.split('"event":"lose"')).toHaveLength(2);
    const again = await openJournal(file);
    expect([again.damaged, again.get('a')]).toEqual([0, journal.get('a')]);
  });

  it('knows which orders are in flight, unresolved or neither', async () => {
    const journal = await openJournal(memoryFile());
    const ends = {
      recorded: [],
      sending: ['send'],
      lost: ['send', 'lose'],
      done: ['send', 'accept'],
    } as const;
    for (const [id, events] of Object.entries(ends))
      await journal.write(id, [step('record'), ...events.map((one) => step(one))], head);
    expect(journal.interrupted().map((one) => one.id)).toEqual(['sending']);
    expect(journal.unresolved().map((one) => one.id)).toEqual(['recorded', 'sending', 'lost']);
    expect([journal.get('gone'), journal.head('gone')]).toEqual([null, null]);
  });

  it('counts the orders of one connection that may have opened, those being written included', async () => {
    const { file, journal } = await opened();
    const body = (more: object) =>
      JSON.stringify({ symbolId: 'BTC-USDT-M', side: 'BUY', type: 'MARKET', quantity: 1, ...more });
    const opens = { ...head, body: body({}) };
    const write = (id: string, own: IntentHead, ...events: Step['event'][]) =>
      journal.write(id, [step('record', 5), step('send', 5), ...events.map((one) => step(one))], own);
    await write('opens', opens);
    await write('closes', { ...head, body: body({ reduceOnly: true }) });
    await write('unreadable', { ...head, body: 'half a bo' });
    await write('rejected', opens, 'reject');
    await write('not sent', opens, 'fail-before-send');
    await write('lost', opens, 'lose');
    await write('other', { ...opens, connectionId: 'live-1' });
    const now = { now: 9, offsetMs: null };
    expect([4, 5, 6].map((at) => journal.openingSince('practice', at, now))).toEqual([3, 3, 0]);
    const writing = [
      write('next', { ...opens }),
      write('next other', { ...opens, connectionId: 'live-1' }),
      write('third other', { ...opens, connectionId: 'live-1' }),
      write('next close', { ...head, body: body({ reduceOnly: true }) }),
    ];
    expect(['practice', 'live-1'].map((id) => journal.openingSince(id, 5, now))).toEqual([4, 3]);
    await Promise.all(writing);
    expect(journal.openingSince('practice', 5, now)).toBe(4);
    file.full = true;
    await expect(write('failed', { ...opens })).rejects.toThrow('full');
    expect(journal.openingSince('practice', 5, now)).toBe(4);
  });

  describe('counts the orders of a day, whatever the clock was', () => {
    const DAY = 24;
    const dayOf = async (
      kind: IntentHead['connectionKind'],
      ...orders: [at: number, offset: number | null][]
    ) => {
      const journal = await openJournal(memoryFile());
      for (const [index, [at, clockOffsetMs]] of orders.entries())
        await journal.write(`o${index}`, [step('record', at), step('send', at)], {
          ...{ ...head, connectionKind: kind, clockOffsetMs },
        });
      return (at: number, now: number, offsetMs: number | null = 0) =>
        journal.openingSince('practice', at, { now, offsetMs });
    };

    it('sent while it was ahead: on the day they were sent, and not on the next', async () => {
      const since = await dayOf('live', [20, 0], [27, -5]);
      expect([since(0, 23), since(DAY, 30)]).toEqual([2, 0]);
      // Also before the exchange replied, and where its clock was not known.
      expect([since(0, 23, null), (await dayOf('live', [20, 0], [27, null]))(0, 23)]).toEqual([2, 2]);
    });

    it('after it was set back or ahead', async () => {
      const since = await dayOf('live', [DAY + 10, 0], [10, DAY]);
      expect([since(DAY, DAY + 12), since(0, 12, DAY)]).toEqual([2, 2]);
      expect((await dayOf('live', [10, 0]))(0, 20, -8)).toBe(1);
    });

    it('by their place after one of the day, where the exchange’s clock cannot be relied on', async () => {
      expect((await dayOf('live', [DAY + 1, 0], [DAY + 2, -9], [DAY - 3, null]))(DAY, DAY + 3)).toBe(3);
      // Practice has a clock of its own.
      expect((await dayOf('practice', [10, 900], [3 * DAY, -900], [11, 0]))(DAY, DAY + 3)).toBe(1);
    });
  });

  it('continues after a whole last line without its end', async () => {
    const { file, journal } = await opened();
    await journal.write('a', [step('record')], head);
    const cut = memoryFile(file.text.slice(0, -1));
    await (await openJournal(cut)).write('b', [step('record')], head);
    const again = await openJournal(cut);
    expect([again.damaged, again.get('a')?.state, again.get('b')?.state]).toEqual([0, 'sending', 'sending']);
    expect(cut.text.split('\n')).toHaveLength(3);
    await (await openJournal(file)).write('b', [step('record')], head);
    expect(file.text).toBe(cut.text);
  });

  it('starts a new line after an append that failed half-way', async () => {
    const { file, journal } = await opened();
    file.full = true;
    await expect(journal.write('a', [step('record')], head)).rejects.toThrow('full');
    file.text += '{"v":1,"intent":"a","ev';
    file.full = false;
    await journal.write('b', [step('record')], head);
    expect((await openJournal(memoryFile(file.text))).get('b')?.state).toBe('sending');
  });

  it('lists one connection, newest first', async () => {
    const journal = await openJournal(memoryFile());
    await journal.write('a', [step('record')], head);
    await journal.write('b', [step('record')], { ...head, connectionId: 'live-1' });
    await journal.write('c', [step('record')], head);
    expect(journal.list('practice').map((one) => one.id)).toEqual(['c', 'a']);
  });
});

describe('a damaged line', () => {
  const eth: IntentHead = { ...head, symbolId: 'ETH-USDT-M', side: 'SELL' };
  /** Three orders: accepted, lost, and one with only its record and send. */
  async function written(): Promise<string[]> {
    const { file, journal } = await opened();
    await journal.write('done', [step('record'), step('send')], head);
    await journal.write('done', [{ ...step('accept', 2), orderId: '7' }]);
    await journal.write('lost', [step('record'), step('send')], eth);
    await journal.write('lost', [step('lose')]);
    return file.text.trimEnd().split('\n');
  }
  const reopened = (lines: readonly string[]) => openJournal(memoryFile(`${lines.join('\n')}\n`));
  const damage = (lines: readonly string[], at: number, by: (line: string) => string): string[] =>
    lines.map((line, index) => (index === at ? by(line) : line));
  const garbage = (): string => '\0'.repeat(40);
  const flipped = (line: string): string => line.replace('"v":1', '"v":x');
  const held = (journal: Journal) => journal.damage('practice').map(({ symbolId, side }) => [symbolId, side]);

  it('holds nothing if other lines have the order’s outcome', async () => {
    const lines = await written();
    // Head and send of the accepted order, and its outcome.
    for (const at of [0, 1]) {
      const journal = await reopened(damage(lines, at, flipped));
      expect([journal.damaged, held(journal)]).toEqual([1, []]);
      expect(journal.get('lost')?.state).toBe('unknown');
    }
    const journal = await reopened(damage(lines, 1, flipped));
    expect(journal.get('done')).toMatchObject({ state: 'accepted', orderId: '7' });
  });

  it('with the outcome leaves the order to be reconciled', async () => {
    const journal = await reopened(damage(await written(), 2, flipped));
    expect(journal.get('done')?.state).toBe('sending');
    expect(held(journal)).toEqual([]);
    // Completely unreadable: it may have been any event.
    expect(held(await reopened(damage(await written(), 2, garbage)))).toEqual([[null, null]]);
  });

  it('counts as the send if it may have been one', async () => {
    const lines = (await written()).slice(0, 4);
    for (const by of [flipped, garbage]) {
      const journal = await reopened(damage([...lines, lines[1]!.replaceAll('done', 'lost')], 4, by));
      expect(journal.interrupted()).toMatchObject([{ id: 'lost', state: 'sending' }]);
    }
  });

  it('with the head of an order without outcome holds its symbol, or everything', async () => {
    const lines = await written();
    expect(held(await reopened(damage(lines, 3, flipped)))).toEqual([['ETH-USDT-M', 'SELL']]);
    expect(held(await reopened(damage(lines, 3, garbage)))).toEqual([[null, null]]);
    // All three of its lines.
    const gone = lines.map((line, index) => (index < 3 ? line : garbage()));
    expect(held(await reopened(gone))).toEqual([
      [null, null],
      [null, null],
      [null, null],
    ]);
  });

  it('is reported until acknowledged, also after a restart', async () => {
    const lines = damage(await written(), 3, flipped);
    const { file, journal } = await opened(`${lines.join('\n')}\n`);
    const [one] = journal.damage('practice');
    expect(one).toMatchObject({ line: 4, text: expect.stringContaining('"v":x') });
    // A practice order holds no live connection.
    expect(journal.damage('live-1')).toEqual([]);
    await journal.acknowledge(one?.id ?? '', 9);
    expect(journal.damage('practice')).toEqual([]);
    expect((await openJournal(memoryFile(file.text))).damage('practice')).toEqual([]);
    expect(file.text).toContain(lines[3]);
  });

  it('stays acknowledged by the note of an earlier version', async () => {
    const note = '{"v":1,"harmless":"c8d28edfd578686553861a0d","because":"acknowledged","at":9}';
    const journal = await openJournal(memoryFile(`half a line\n${note}\n`));
    expect([journal.damaged, held(journal)]).toEqual([0, []]);
  });

  it('is acknowledged alone: another one is held on', async () => {
    const lines = damage(damage(await written(), 0, garbage), 3, flipped);
    const { file, journal } = await opened(`${lines.slice(0, 1).join()}\n${lines.slice(3).join('\n')}\n`);
    expect(held(journal)).toEqual([
      [null, null],
      ['ETH-USDT-M', 'SELL'],
    ]);
    const { text } = file;
    await journal.acknowledge('damage-of-nothing', 9);
    expect(file.text).toBe(text);
    await journal.acknowledge(journal.damage('practice')[1]?.id ?? '', 9);
    for (const one of [journal, await openJournal(file)]) expect(held(one)).toEqual([[null, null]]);
  });

  const OUTCOMES: Step['event'][][] = [
    ['accept'],
    ['reject'],
    ['fail-before-send'],
    ['lose', 'land'],
    ['lose', 'claim'],
    ['lose', 'check', 'close'],
  ];
  it.each(OUTCOMES.map((ends) => ({ ends })))('with the head holds nothing after $ends', async ({ ends }) => {
    const { file, journal } = await opened();
    await journal.write('a', [step('record'), step('send')], head);
    for (const one of ends) await journal.write('a', [step(one)]);
    const lines = file.text.trimEnd().split('\n');
    const again = await reopened(damage(lines, 0, flipped));
    expect([again.damaged, held(again)]).toEqual([1, []]);
    // Also without the send, or if the head is gone completely.
    expect(held(await reopened(damage(damage(lines, 0, flipped), 1, flipped)))).toEqual([]);
    expect(held(await reopened(lines.slice(1)))).toEqual([]);
  });

  it('that is gone completely still holds everything until acknowledged', async () => {
    const lines = (await written()).filter((_line, at) => at !== 3);
    const { file, journal } = await opened(`${lines.join('\n')}\n`);
    expect(held(journal)).toEqual([[null, null]]);
    expect(journal.allDamage()[0]).toMatchObject({ line: 4, text: lines[3] });
    await journal.acknowledge(journal.allDamage()[0]?.id ?? '', 9);
    expect(held(await openJournal(file))).toEqual([]);
  });

  it('counts lines that do not fit, with or without a head', async () => {
    const lines = await written();
    const accept = lines[2]!;
    expect((await reopened([...lines, accept, accept])).damaged).toBe(2);
    const headless = accept.replace('"done"', '"gone"');
    expect((await reopened([...lines, headless, headless])).damaged).toBe(1);
  });

  it('is shown without control characters, and shortened', async () => {
    const lines = damage(await written(), 3, (line) => `${flipped(line)}\u0007${'x'.repeat(400)}`);
    const [shown] = (await reopened(lines)).allDamage();
    expect(shown?.text).toHaveLength(300);
    const short = damage(await written(), 3, () => '\u0007half');
    expect((await reopened(short)).allDamage()[0]?.text).toBe('·half');
  });

  it('of an undone match leaves the order unknown, and its match undone', async () => {
    const { file, journal } = await opened();
    await journal.write('a', [step('record'), step('send'), step('lose')], head);
    await journal.write('a', [{ ...step('land'), orderId: '7' }]);
    await journal.write('a', [{ ...step('disown'), orderId: '7' }]);
    const undone = { state: 'unknown', orderId: null, disowned: ['7'] };
    const harmed = memoryFile(damage(file.text.trimEnd().split('\n'), 4, flipped).join('\n') + '\n');
    const after = await openJournal(harmed);
    expect([after.damaged, held(after), after.get('a')]).toMatchObject([1, [], undone]);
    // What follows it fits, also after a restart.
    await after.write('a', [{ ...step('check'), check: check(1) }]);
    const again = await openJournal(harmed);
    expect([again.damaged, held(again), again.get('a')]).toMatchObject([1, [], undone]);
    await again.write('a', [{ ...step('claim'), orderId: '8' }]);
    expect((await openJournal(harmed)).get('a')).toMatchObject({ state: 'matched-by-user', orderId: '8' });
    // Without its head, too, it may be open.
    const headless = damage(harmed.text.split('\n').slice(0, 5), 0, flipped);
    expect(held(await reopened(headless))).toEqual([
      ['BTC-USDT-M', 'BUY'],
      [null, null],
    ]);
  });

  it('before a match changes nothing of it', async () => {
    const { file, journal } = await opened();
    await journal.write('a', [step('record'), step('send'), step('lose')], head);
    await journal.write('a', [
      { ...step('check'), check: check(1) },
      { ...step('land'), orderId: '7' },
    ]);
    const lines = file.text.trimEnd().split('\n');
    expect((await reopened(damage(lines, 3, flipped))).get('a')).toMatchObject({
      state: 'matched',
      orderId: '7',
    });
  });

  it('at the end may have been sent, too, also after more is written', async () => {
    const lines = (await written()).slice(0, 4);
    const file = memoryFile(lines.join('\n').slice(0, -20));
    const journal = await openJournal(file);
    const eth = [['ETH-USDT-M', 'SELL']];
    expect([journal.damaged, held(journal)]).toEqual([1, eth]);
    file.full = true;
    await expect(journal.write('next', [step('record')], head)).rejects.toThrow('full');
    file.full = false;
    await journal.write('next', [step('record')], head);
    const again = await openJournal(memoryFile(file.text));
    expect([again.damaged, held(again), again.get('next')?.state]).toEqual([1, eth, 'sending']);
  });

  it('at the end stays as an earlier version marked it', async () => {
    const note = '{"v":1,"harmless":"c8d28edfd578686553861a0d","because":"torn"}';
    const journal = await openJournal(memoryFile(`half a line\n${note}\n`));
    expect([journal.damaged, held(journal)]).toEqual([0, []]);
  });

  it('hides no order that may be open and affects no other, whatever is damaged', async () => {
    const ends = [
      [],
      ['lose'],
      ['accept'],
      ['reject'],
      ['lose', 'land'],
      ['lose', 'land', 'disown'],
      ['lose', 'land', 'disown', 'check', 'claim'],
      ['lose', 'check', 'close'],
    ] as const;
    const order = fc.record({
      end: fc.constantFrom(...ends),
      symbolId: fc.constantFrom('BTC-USDT-M', 'ETH-USDT-M'),
      side: fc.constantFrom('BUY' as const, 'SELL' as const),
      batch: fc.boolean(),
    });
    const harm = fc.record({
      at: fc.nat(),
      by: fc.constantFrom(
        garbage,
        flipped,
        (line: string) => line.slice(line.length / 2),
        () => '',
      ),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(order, { minLength: 1, maxLength: 6 }),
        fc.array(harm, { minLength: 1, maxLength: 3 }),
        async (all, harms) => {
          const { file, journal } = await opened();
          const known = ['1'];
          for (const [index, { end, symbolId, side, batch }] of all.entries()) {
            const place = { id: 'b', row: index, of: all.length, call: 0 };
            const own = { ...head, symbolId, side, knownIds: known, ...(batch ? { batch: place } : {}) };
            await journal.write(`o${index}`, [step('record'), step('send')], own);
            for (const event of end)
              await journal.write(`o${index}`, [
                {
                  ...step(event),
                  ...(event === 'accept' || event === 'land' || event === 'disown'
                    ? { orderId: `7${index}` }
                    : event === 'claim'
                      ? { orderId: `8${index}` }
                      : {}),
                },
              ]);
          }
          const lines = file.text.trimEnd().split('\n');
          const harmed = [...lines];
          for (const { at, by } of harms) harmed[at % lines.length] = by(lines[at % lines.length]!) || '\0';
          const again = await reopened(harmed);
          const touched = (id: string): boolean =>
            lines.some((line, at) => line.includes(`"intent":"${id}"`) && harmed[at] !== line);
          for (const record of journal.list('practice')) {
            const now = again.get(record.id);
            if (!touched(record.id)) expect(now).toEqual(record);
            if (record.state !== 'sending' && record.state !== 'unknown') continue;
            const isHeld = again
              .damage('practice')
              .some((one) => mayConcern(one, record.symbolId, record.side));
            const isOpen = now?.state === 'sending' || now?.state === 'unknown';
            expect([record.id, isHeld || isOpen]).toEqual([record.id, true]);
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it('affects no other row of its batch', async () => {
    const { file, journal } = await opened();
    const known = ['1', '2'];
    await journal.writeTogether(
      ['r0', 'r1', 'r2'].map((intentId, row) => ({
        intentId,
        steps: [step('record'), step('send')],
        head: { ...head, knownIds: known, batch: { id: 'b', row, of: 3, call: 0 } },
      })),
    );
    const lines = file.text.trimEnd().split('\n');
    const again = await reopened(damage(lines, 0, garbage));
    expect(again.list('practice').map((one) => [one.id, one.state])).toEqual([
      ['r2', 'sending'],
      ['r1', 'sending'],
    ]);
    expect(again.head('r1')?.knownIds).toBeNull();
    expect(held(again)).toEqual([[null, null]]);
    // What only the first one has written out, the last still has where the one between is damaged.
    const between = await reopened(damage(lines, 2, garbage));
    expect([between.get('r1'), between.head('r2')?.knownIds]).toEqual([null, known]);
  });
});

describe('the account of an order', () => {
  const account = { address: 'https://api.meridian.example', key: 'k', uid: null };
  const live: IntentHead = { ...head, connectionId: 'live-1', connectionKind: 'live', account };
  const ids = (journal: Journal, id: string): string[] => journal.list(id).map((one) => one.id);
  const lostOrder = async (one: IntentHead): Promise<Journal> => {
    const { file, journal } = await opened();
    await journal.write('a', [step('record'), step('send')], one);
    await journal.write('a', [step('lose')]);
    return openJournal(memoryFile(file.text));
  };

  it('assigns it to its account’s connection, also one added again under another name', async () => {
    const journal = await lostOrder(live);
    journal.follow({ id: 'live-2', kind: 'live', account }, () => true);
    expect(ids(journal, 'live-2')).toEqual(['a']);
    expect(ids(journal, 'live-1')).toEqual([]);
    expect(journal.get('a')?.connectionId).toBe('live-2');
    // Later steps belong to the same intent.
    const record = await journal.write('a', [{ ...step('land'), orderId: '7' }]);
    expect(record).toMatchObject({ connectionId: 'live-2', state: 'matched' });
  });

  it.each([
    ['another address', { ...account, address: 'https://other.example' }],
    ['another key of another user', { ...account, uid: '8' }],
  ])('is not the account’s at %s', async (_what, other) => {
    const journal = await lostOrder({ ...live, account: { ...account, uid: '7' } });
    journal.follow({ id: 'live-1', kind: 'live', account: other }, () => true);
    expect(ids(journal, 'live-1')).toEqual([]);
    expect(journal.unresolved().map((one) => one.connectionId)).toEqual(['']);
  });

  it('keeps it there while practice or another account is open', async () => {
    const journal = await lostOrder(live);
    journal.follow({ id: 'live-2', kind: 'live', account }, (id) => id !== 'live-1');
    const other = { ...account, address: 'https://other.example' };
    for (const open of [
      { id: 'practice', kind: 'practice', account: other },
      { id: 'live-3', kind: 'live', account: other },
    ] as const)
      expect(journal.follow(open, (id) => id !== 'live-1')).toBe(false);
    expect(journal.unresolved().map((one) => one.connectionId)).toEqual(['live-2']);
  });

  it('lets a match be undone whose order another connection of the account had matched, too', async () => {
    const journal = await openJournal(memoryFile());
    for (const [id, connectionId] of [
      ['a', 'live-1'],
      ['b', 'live-2'],
    ] as const) {
      await journal.write(id, [step('record'), step('send'), step('lose')], { ...live, connectionId });
      await journal.write(id, [{ ...step('land'), orderId: '7' }]);
    }
    journal.follow({ id: 'live-2', kind: 'live', account }, () => true);
    expect(ids(journal, 'live-2')).toEqual(['b', 'a']);
    const undone = await journal.write('b', [{ ...step('disown'), orderId: '7' }]);
    expect(undone).toMatchObject({ state: 'unknown', orderId: null, disowned: ['7'] });
  });

  it('leaves orders of another account where they are', async () => {
    const journal = await lostOrder(live);
    const other = { ...account, address: 'https://other.example' };
    expect(journal.follow({ id: 'live-2', kind: 'live', account: other }, () => true)).toBe(false);
    expect(ids(journal, 'live-1')).toEqual(['a']);
    expect(journal.follow({ id: 'live-2', kind: 'live', account }, () => true)).toBe(true);
    expect(journal.follow({ id: 'live-2', kind: 'live', account }, () => true)).toBe(false);
  });

  it.each([
    ['its account', JSON.stringify(account), 'live-2', true],
    ['another account', JSON.stringify({ ...account, uid: '8' }), 'live-1', false],
    ['an account that cannot be read', '{"address":x}', 'live-1', false],
    ['an account of another form', '{"address":"a"}', 'live-1', false],
  ])('assigns a damaged line with %s as it does orders', async (_whose, text, owner, changed) => {
    const file = memoryFile();
    await (await openJournal(file)).write('a', [step('record'), step('send')], live);
    const damaged = file.text.replace('"v":1', '"v":x').replace(JSON.stringify(account), text);
    const journal = await openJournal(memoryFile(damaged));
    const known = { ...account, uid: '7' };
    expect(journal.follow({ id: 'live-2', kind: 'live', account: known }, () => true)).toBe(changed);
    expect(journal.allDamage().map((one) => one.connectionId)).toEqual([owner]);
    expect(journal.follow({ id: 'practice', kind: 'practice', account: known }, () => true)).toBe(false);
    // An entry that has another account by now: the line holds no order of it.
    journal.follow(
      { id: owner, kind: 'live', account: { ...known, address: 'https://other.example' } },
      () => true,
    );
    expect(journal.damage(owner)).toHaveLength(text.includes('uid') ? 0 : 1);
    expect(journal.allDamage()).toHaveLength(1);
  });

  it('moves no damaged line whose connection or kind cannot be read', async () => {
    const file = memoryFile();
    await (await openJournal(file)).write('a', [step('record'), step('send')], live);
    for (const part of ['"connectionId":"live-1"', '"connectionKind":"live"']) {
      const journal = await openJournal(
        memoryFile(file.text.replace(part, '"x":1').replace('"v":1', '"v":x')),
      );
      const before = journal.allDamage();
      expect(journal.follow({ id: 'live-2', kind: 'live', account }, () => true)).toBe(false);
      expect(journal.allDamage()).toEqual(before);
    }
  });

  it('keeps its connection where another key leaves the account uncertain', async () => {
    const journal = await lostOrder(live);
    journal.follow({ id: 'live-1', kind: 'live', account: { ...account, key: 'new' } }, () => true);
    expect(ids(journal, 'live-1')).toEqual(['a']);
    journal.follow({ id: 'live-2', kind: 'live', account: { ...account, key: 'new' } }, () => true);
    expect(ids(journal, 'live-2')).toEqual([]);
  });

  it('assigns orders of an older journal and a removed connection to any live account', async () => {
    const { account: _none, ...older } = live;
    const journal = await lostOrder(older);
    journal.follow({ id: 'live-2', kind: 'live', account }, (id) => id !== 'live-1');
    expect(ids(journal, 'live-2')).toEqual(['a']);
    const kept = await lostOrder(older);
    kept.follow({ id: 'live-2', kind: 'live', account }, () => true);
    expect([ids(kept, 'live-1'), ids(kept, 'live-2')]).toEqual([['a'], []]);
    const practice = await lostOrder(older);
    practice.follow({ id: 'practice', kind: 'practice', account }, () => false);
    expect(ids(practice, 'practice')).toEqual([]);
  });
});

describe('journal file', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'journal-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is empty before the first append and only grows', async () => {
    const path = join(folder, 'deep', 'orders.jsonl');
    const file = journalFile(path);
    expect(await file.read()).toBeNull();
    await file.append('one\n');
    await file.append('two\n');
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\n');
  });

  it('rejects if the path cannot be written', async () => {
    await writeFile(join(folder, 'not-a-folder'), '');
    const file = journalFile(join(folder, 'not-a-folder', 'orders.jsonl'));
    await expect(file.append('one\n')).rejects.toMatchObject({ code: 'EEXIST' });
  });
});
