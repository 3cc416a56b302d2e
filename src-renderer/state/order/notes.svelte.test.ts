import { describe, expect, it } from 'vitest';
import { FakeBridge } from '../../../tests/renderer/fake-bridge.ts';
import {
  MAX_NOTE,
  MAX_TAGGED,
  MAX_TAGS,
  type OrderNote,
} from '../../../src-shared/domain/history/order-notes.ts';
import { OrderNotes } from './notes.svelte.ts';

const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

function start() {
  const bridge = new FakeBridge();
  const sent: OrderNote[] = [];
  const saved: OrderNote[] = [];
  const held: (() => void)[] = [];
  const state = { isHeld: false };
  const save = async (input: unknown): Promise<OrderNote> => {
    if (state.isHeld) await new Promise<void>((done) => held.push(done));
    const { orderId, text, tags } = input as OrderNote;
    sent.push({ orderId, text, tags, editedAt: sent.length });
    return sent.at(-1)!;
  };
  const stored = new Map<string, OrderNote>();
  const asked: (readonly string[])[] = [];
  const read = async (input: unknown): Promise<OrderNote[]> => {
    const { orderIds } = input as { orderIds: readonly string[] };
    asked.push(orderIds);
    const found = orderIds.flatMap((id) => stored.get(id) ?? []);
    if (state.isHeld) await new Promise<void>((done) => held.push(done));
    return found;
  };
  const tagged: unknown[] = [];
  const tag = (input: unknown): OrderNote[] => {
    tagged.push(input);
    const { orderIds, tag } = input as { orderIds: string[]; tag: string };
    return orderIds.map((orderId) => ({ orderId, text: '', tags: [tag, 'news'], editedAt: 1 }));
  };
  bridge.replies = {
    'trades.notes': read,
    'trades.tags': () => [{ tag: 'Plan', orders: 2 }],
    'trades.saveNote': save,
    'trades.tagOrders': tag,
  };
  const waiting = new Set<() => void>();
  const after = (_ms: number, then: () => void): (() => void) => {
    waiting.add(then);
    return () => waiting.delete(then);
  };
  const notes = new OrderNotes(bridge, { after });
  notes.watch((list) => saved.push(...list));
  notes.follow('practice');
  return {
    ...{ notes, sent, saved, tagged, stored, asked },
    passes: () => {
      for (const then of waiting) then();
    },
    hold: () => (state.isHeld = true),
    release: () => {
      state.isHeld = false;
      for (const done of held.splice(0)) done();
      return settled();
    },
    refuse: () => {
      delete bridge.replies['trades.saveNote'];
      delete bridge.replies['trades.tagOrders'];
      delete bridge.replies['trades.notes'];
    },
    accept: () => Object.assign(bridge.replies, { 'trades.saveNote': save, 'trades.notes': read }),
  };
}

describe('a note that is edited', () => {
  it('is saved once, when it changed; the tags in use are read again when one changed', async () => {
    const { notes, sent, saved } = start();
    const edit = notes.edit('7', undefined);
    await edit.save();
    expect(sent).toEqual([]);
    edit.text = 'why\r\n';
    expect(edit.isChanged).toBe(true);
    await edit.save();
    await edit.save();
    expect(sent).toMatchObject([{ orderId: '7', text: 'why', tags: [] }]);
    expect([edit.isChanged, edit.saved, edit.text]).toEqual([false, true, 'why\r\n']);
    edit.tidy();
    expect(edit.text).toBe('why');
    expect(saved).toEqual(sent);
    expect(notes.tags).toEqual([]);
    edit.add('Plan');
    await settled();
    expect(notes.tags).toEqual([{ tag: 'Plan', orders: 2 }]);
  });

  it('keeps what is typed while it is being saved, and saves that after it', async () => {
    const { notes, sent, hold, release } = start();
    const edit = notes.edit('7', undefined);
    edit.text = 'first';
    hold();
    const saving = edit.save();
    edit.text = 'first and second';
    expect(edit.add('news')).toBeNull();
    const all = notes.settled();
    await release();
    await all;
    expect(sent.map(({ text, tags }) => [text, ...tags])).toEqual([['first'], ['first and second', 'news']]);
    await saving;
    expect([edit.text, ...edit.tags, edit.isChanged]).toEqual(['first and second', 'news', false]);
  });

  it('is saved with each key, and keeps the space before the next word', async () => {
    const { notes, sent } = start();
    const edit = notes.edit('7', undefined);
    for (const text of ['Late', 'Late ', 'Late s']) {
      edit.text = text;
      await edit.save();
      expect(edit.text).toBe(text);
    }
    expect(sent.map(({ text }) => text)).toEqual(['Late', 'Late s']);
  });

  it('shows that it is being saved only when that takes long', async () => {
    const { notes, hold, release, passes } = start();
    const edit = notes.edit('7', undefined);
    edit.text = 'why';
    hold();
    const saving = edit.save();
    expect(edit.isSlow).toBe(false);
    passes();
    expect(edit.isSlow).toBe(true);
    await release();
    await saving;
    passes();
    expect(edit.isSlow).toBe(false);
  });

  it('stays as typed when it cannot be saved, also for whoever opens it next', async () => {
    const { notes, sent, refuse, accept } = start();
    const edit = notes.edit('7', { orderId: '7', text: 'before', tags: ['Plan'], editedAt: 1 });
    refuse();
    edit.text = 'after';
    await edit.save();
    expect(edit.failure?.message).toContain('trades.saveNote');
    const again = notes.edit('7', { orderId: '7', text: 'before', tags: ['Plan'], editedAt: 1 });
    expect([again.text, again.failure]).toEqual(['after', edit.failure]);
    accept();
    await again.save();
    expect([again.failure, sent.at(-1)?.text]).toEqual([null, 'after']);
    again.text = 'unsaved';
    again.restore();
    expect([again.text, again.isChanged]).toEqual(['after', false]);
  });

  it('saves its tags without a text that is too long', async () => {
    const { notes, sent } = start();
    const edit = notes.edit('7', { orderId: '7', text: 'before', tags: [], editedAt: 1 });
    edit.text = 'x'.repeat(MAX_NOTE + 1);
    await edit.save();
    expect([sent.length, edit.fault]).toEqual([0, expect.stringContaining('remove 1')]);
    expect(edit.add(' Late  stop ')).toBeNull();
    await settled();
    expect(sent).toMatchObject([{ text: 'before', tags: ['Late stop'] }]);
    expect(edit.text).toHaveLength(MAX_NOTE + 1);
    edit.remove('Late stop');
    await settled();
    expect(sent.at(-1)?.tags).toEqual([]);
  });

  it('refuses a tag it has, one that is wrong, and one too many, with the reason', () => {
    const { notes } = start();
    const tags = Array.from({ length: MAX_TAGS - 1 }, (_, n) => `tag ${n}`);
    const edit = notes.edit('7', { orderId: '7', text: '', tags, editedAt: 1 });
    expect(edit.add('TAG 3')).toBe('The tag TAG 3 is already there');
    expect(edit.add('a,b')).toContain('comma');
    expect(edit.add('last')).toBeNull();
    expect(edit.add('more')).toContain(`At most ${MAX_TAGS} tags`);
  });
});

describe('the tags of several orders', () => {
  const tagsOf = new Map([
    ['1', ['Plan', 'news']],
    ['2', ['NEWS']],
  ] as const);

  it('are those that all have; a change is one request, shown in the lists and the tags in use', async () => {
    const { notes, saved, tagged } = start();
    const edit = notes.shared(tagsOf);
    expect([edit.size, ...edit.tags]).toEqual([2, 'news']);
    expect(edit.add('News')).toBe('All have the tag News already');
    expect(edit.add('a,b')).toContain('comma');
    expect(edit.add(' plan ')).toBeNull();
    await settled();
    expect(tagged).toEqual([{ connectionId: 'practice', orderIds: ['1', '2'], tag: 'plan', on: true }]);
    expect(edit.tags).toEqual(['plan', 'news']);
    expect(edit.done).toBe('plan: added to 2');
    expect(saved).toHaveLength(2);
    expect(notes.tags).toEqual([{ tag: 'Plan', orders: 2 }]);
    edit.remove('news');
    await settled();
    expect(tagged.at(-1)).toMatchObject({ tag: 'news', on: false });
  });

  it('stay as they were when they cannot be changed, with the reason', async () => {
    const { notes, refuse } = start();
    const edit = notes.shared(tagsOf);
    refuse();
    edit.add('late');
    await settled();
    expect([...edit.tags, edit.done]).toEqual(['news', '']);
    expect(edit.failure?.message).toContain('trades.tagOrders');
  });

  it('are in a note that is open meanwhile, which keeps them when its text is saved', async () => {
    const { notes, sent } = start();
    const open = notes.edit('1', undefined);
    open.text = 'typed';
    notes.shared(tagsOf).add('late');
    await settled();
    expect(open.tags).toEqual(['late', 'news']);
    await open.save();
    expect(sent.at(-1)).toMatchObject({ text: 'typed', tags: ['late', 'news'] });
  });

  it('are what an order’s own edit starts from next', async () => {
    const { notes } = start();
    const own = { orderId: '1', text: 'why', tags: ['news'], editedAt: 1 };
    notes.edit('1', own);
    notes.shared(tagsOf).add('late');
    await settled();
    expect(notes.edit('1', { ...own, tags: ['news', 'late'] }).tags).toEqual(['news', 'late']);
  });
});

describe('the notes of orders in a list', () => {
  const note = (orderId: string, text: string): OrderNote => ({ orderId, text, tags: [], editedAt: 1 });

  it('are read once, and are known to be none only after that', async () => {
    const { notes, stored, asked } = start();
    stored.set('7', note('7', 'why'));
    const reading = notes.read(['7', '8', '8']);
    expect([notes.of('7'), notes.of('8'), notes.listOf('8')]).toEqual([undefined, undefined, []]);
    // Asked for again meanwhile: waits for what is being read.
    await notes.read(['8']);
    expect(notes.of('8')).toBeNull();
    await reading;
    expect([notes.of('7')?.text, notes.of('8'), notes.of('9')]).toEqual(['why', null, undefined]);
    await notes.read(['7', '8', '9']);
    expect(asked).toEqual([['7', '8'], ['9']]);
    expect(notes.listOf('7')).toEqual([note('7', 'why')]);
  });

  it('are read in parts of what one request may ask for', async () => {
    const { notes, asked } = start();
    await notes.read(Array.from({ length: MAX_TAGGED + 1 }, (_, n) => String(n)));
    expect(asked.map((ids) => ids.length)).toEqual([MAX_TAGGED, 1]);
  });

  it('stay unknown, with the reason, when they cannot be read, and are read when asked again', async () => {
    const { notes, refuse, accept } = start();
    refuse();
    await notes.read(['7']);
    expect(notes.of('7')).toBeUndefined();
    expect(notes.failure?.message).toContain('trades.notes');
    accept();
    await notes.read(['7']);
    expect([notes.of('7'), notes.failure]).toEqual([null, null]);
  });

  it('are read again after an import or a restore; one saved meanwhile is newer than the reply', async () => {
    const { notes, stored, hold, release } = start();
    stored.set('7', note('7', 'before')).set('8', note('8', 'gone since'));
    await notes.read(['7', '8']);
    stored.delete('8');
    notes.forget();
    hold();
    const reading = notes.read(['7', '8']);
    notes.add([note('8', 'gone since')]);
    const edit = notes.edit('7', note('7', 'before'));
    edit.text = 'after';
    const saving = edit.save();
    await release();
    await Promise.all([reading, saving]);
    expect([notes.of('7')?.text, notes.of('8')]).toEqual(['after', null]);
  });

  it('of another connection are left out', async () => {
    const { notes, stored, hold, release } = start();
    stored.set('7', note('7', 'of practice'));
    hold();
    const reading = notes.read(['7']);
    notes.follow('meridian');
    await release();
    await reading;
    expect(notes.of('7')).toBeUndefined();
  });
});

it('keeps what could not be saved over a switch of connections and back, each of its own', async () => {
  const { notes, sent, refuse, accept } = start();
  await notes.edit('8', undefined).save();
  const edit = notes.edit('7', undefined);
  refuse();
  edit.text = 'of practice';
  await edit.save();
  notes.follow('meridian');
  expect(notes.edit('7', undefined).text).toBe('');
  expect([notes.unsavedIn(['practice', 'meridian']), notes.unsavedIn(['meridian'])]).toEqual([1, 0]);
  notes.follow('practice');
  const again = notes.edit('7', undefined);
  expect(again.text).toBe('of practice');
  accept();
  await again.save();
  expect([sent.at(-1)?.text, notes.unsavedIn(['practice'])]).toEqual(['of practice', 0]);
});

it('waits for what is being saved on the connection before, too', async () => {
  const { notes, hold, release } = start();
  const edit = notes.edit('7', undefined);
  edit.text = 'of practice';
  hold();
  void edit.save();
  notes.follow('meridian');
  let isOver = false;
  const all = notes.settled().then(() => (isOver = true));
  await settled();
  expect(isOver).toBe(false);
  await release();
  await all;
  expect(notes.unsavedIn(['practice'])).toBe(0);
});
