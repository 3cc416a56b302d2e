import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckRound } from '../../src-shared/contract/orders.ts';
import { journalFile } from './journal-file.ts';
import { openJournal, type Journal, type JournalFile } from './journal.ts';
import type { IntentHead, Step } from './journal-lines.ts';

const head: IntentHead = {
  connectionId: 'practice',
  connectionKind: 'practice',
  kind: 'order',
  symbolId: 'BTC-USDT-M',
  side: 'BUY',
  type: 'LIMIT',
  path: '/ftapi/v1/order',
  body: '{"symbolId":"BTC-USDT-M"}',
  knownIds: ['9007199254740993'],
};
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

/** A file that keeps only what was promised to be on disk. */
function memoryFile(initial = ''): JournalFile & { text: string; fail: boolean } {
  return {
    text: initial,
    fail: false,
    append(text) {
      if (this.fail) return Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
      this.text += text;
      return Promise.resolve();
    },
    read() {
      return Promise.resolve(this.text);
    },
  };
}

describe('journal', () => {
  it('tells the same story after a restart', async () => {
    const file = memoryFile();
    const journal = await openJournal(file);
    await journal.write('a', [step('record'), step('send')], head);
    await journal.write('a', [{ ...step('accept', 2), orderId: '734829105569914880' }]);
    const again = await openJournal(memoryFile(file.text));
    expect(again.get('a')).toEqual(journal.get('a'));
    expect(again.get('a')).toMatchObject({ state: 'accepted', orderId: '734829105569914880' });
    expect(again.head('a')).toEqual(head);
  });

  it('refuses a step that is not in the transition table and writes nothing', async () => {
    const file = memoryFile();
    const journal = await openJournal(file);
    await journal.write('a', [step('record')], head);
    const before = file.text;
    await expect(journal.write('a', [step('accept')])).rejects.toThrow('does not fit');
    expect(file.text).toBe(before);
    expect(journal.get('a')?.state).toBe('recorded');
  });

  it('shows nothing that is not on disk, and goes on after a full disk', async () => {
    const file = memoryFile();
    const journal = await openJournal(file);
    file.fail = true;
    await expect(journal.write('a', [step('record')], head)).rejects.toThrow('full');
    expect(journal.get('a')).toBeNull();
    file.fail = false;
    await journal.write('a', [step('record')], head);
    expect(journal.get('a')?.state).toBe('recorded');
  });

  it.each([1, 7, 40])(
    'skips a last line torn %i bytes before its end, and keeps the next one whole',
    async (cut) => {
      const file = memoryFile();
      const journal = await openJournal(file);
      await journal.write('a', [step('record')], head);
      await journal.write('b', [step('record')], head);
      const torn = memoryFile(file.text.slice(0, -cut - 1));
      const after = await openJournal(torn);
      expect(after.damaged).toBe(1);
      expect(after.get('b')).toBeNull();
      await after.write('c', [step('record')], head);
      const last = await openJournal(memoryFile(torn.text));
      expect(last.get('a')?.state).toBe('recorded');
      expect(last.get('c')?.state).toBe('recorded');
    },
  );

  it('keeps every check beside the events, and the newest of them in the record', async () => {
    const file = memoryFile();
    const journal = await openJournal(file);
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
  });

  it('gives an order to one intent only', async () => {
    const journal = await openJournal(memoryFile());
    for (const id of ['a', 'b']) {
      await journal.write(id, [step('record'), step('send')], head);
      await journal.write(id, [step('lose')]);
    }
    const both = ['a', 'b'].map((id) => journal.write(id, [{ ...step('claim'), orderId: '7' }]));
    expect((await Promise.allSettled(both)).map((one) => one.status)).toEqual(['fulfilled', 'rejected']);
    expect(journal.get('b')?.state).toBe('unknown');
  });

  it('begins a line of its own after an append that failed half-way', async () => {
    const file = memoryFile();
    const journal = await openJournal(file);
    file.fail = true;
    await expect(journal.write('a', [step('record')], head)).rejects.toThrow('full');
    file.text += '{"v":1,"intent":"a","ev';
    file.fail = false;
    await journal.write('b', [step('record')], head);
    expect((await openJournal(memoryFile(file.text))).get('b')?.state).toBe('recorded');
  });

  it('lists one connection, newest first', async () => {
    const journal = await openJournal(memoryFile());
    await journal.write('a', [step('record')], head);
    await journal.write('b', [step('record')], { ...head, connectionId: 'live-1' });
    await journal.write('c', [step('record')], head);
    expect(journal.list('practice').map((one) => one.id)).toEqual(['c', 'a']);
  });
});

describe('whose an order is', () => {
  const account = { address: 'https://api.meridian.example', key: 'k', uid: null };
  const live: IntentHead = { ...head, connectionId: 'live-1', connectionKind: 'live', account };
  const ids = (journal: Journal, id: string): string[] => journal.list(id).map((one) => one.id);
  const lostOrder = async (one: IntentHead): Promise<Journal> => {
    const file = memoryFile();
    const journal = await openJournal(file);
    await journal.write('a', [step('record'), step('send')], one);
    await journal.write('a', [step('lose')]);
    return openJournal(memoryFile(file.text));
  };

  it('is told by its account: added again under another name, it is there', async () => {
    const journal = await lostOrder(live);
    journal.follow({ id: 'live-2', kind: 'live', account }, () => true);
    expect(ids(journal, 'live-2')).toEqual(['a']);
    expect(ids(journal, 'live-1')).toEqual([]);
    expect(journal.get('a')?.connectionId).toBe('live-2');
    // What is written of it is written of the same intent.
    const record = await journal.write('a', [{ ...step('land'), orderId: '7' }]);
    expect(record).toMatchObject({ connectionId: 'live-2', state: 'landed' });
  });

  it.each([
    ['another address', { ...account, address: 'https://other.example' }],
    ['another key of another user', { ...account, uid: '8' }],
  ])('is not the account’s at %s', async (_what, other) => {
    const journal = await lostOrder({ ...live, account: { ...account, uid: '7' } });
    journal.follow({ id: 'live-1', kind: 'live', account: other }, () => true);
    expect(ids(journal, 'live-1')).toEqual([]);
    expect(journal.unsettled()).toHaveLength(1);
  });

  it('stays with its connection where another key leaves it open', async () => {
    const journal = await lostOrder(live);
    journal.follow({ id: 'live-1', kind: 'live', account: { ...account, key: 'new' } }, () => true);
    expect(ids(journal, 'live-1')).toEqual(['a']);
    journal.follow({ id: 'live-2', kind: 'live', account: { ...account, key: 'new' } }, () => true);
    expect(ids(journal, 'live-2')).toEqual([]);
  });

  it('of an older journal, whose connection is gone, may be any live account’s', async () => {
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

  it('is empty before the first append and only ever grows', async () => {
    const path = join(folder, 'deep', 'orders.jsonl');
    const file = journalFile(path);
    expect(await file.read()).toBe('');
    await file.append('one\n');
    await file.append('two\n');
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\n');
  });

  it('says so when the place cannot be written', async () => {
    await writeFile(join(folder, 'not-a-folder'), '');
    const file = journalFile(join(folder, 'not-a-folder', 'orders.jsonl'));
    await expect(file.append('one\n')).rejects.toMatchObject({ code: 'EEXIST' });
  });
});
