import { describe, expect, it } from 'vitest';
import { isOn } from './enums.ts';
import * as f from './fields.ts';

const NOTHING = [null, '', undefined];
/** What a field makes of a value: kept as it came, read as something else, or unreadable. */
function readingOf(one: f.Field, value: unknown): unknown {
  if (one.accepts(value)) return { kept: value };
  const { value: read, received, isUnreadable } = one.read(value);
  return isUnreadable
    ? { unread: received, instead: read }
    : received === null
      ? { read }
      : { read, received };
}

describe('a field', () => {
  it.each<[string, f.Field, readonly [unknown, unknown][]]>([
    [
      'decimal',
      f.decimal('x'),
      [
        ['1.50', { kept: '1.50' }],
        [null, { kept: null }],
        ['', { read: null }],
        [undefined, { read: null }],
        ['1.5E-7', { read: '0.00000015', received: '1.5E-7' }],
        ['01.5', { read: '1.5', received: '01.5' }],
        [7, { read: '7' }],
        ['much', { unread: 'much', instead: null }],
        [true, { unread: 'true', instead: null }],
        [['1'], { unread: '["1"]', instead: null }],
      ],
    ],
    [
      'integer',
      f.integer('x'),
      [
        [-3, { kept: -3 }],
        ['12', { read: 12 }],
        ['12.00', { read: 12 }],
        ['1E3', { read: 1000 }],
        ['12.5', { unread: '12.5', instead: null }],
        ['12.05', { unread: '12.05', instead: null }],
        ['x12', { unread: 'x12', instead: null }],
        ['9007199254740993', { unread: '9007199254740993', instead: null }],
        [12.5, { unread: '12.5', instead: null }],
        [false, { unread: 'false', instead: null }],
        ...NOTHING.map((one): [unknown, unknown] => [one, { read: null }]),
      ],
    ],
    [
      'number of a list',
      f.numberChoice({ '1': 'One' }, 'x'),
      [
        [1, { kept: 1 }],
        ['2', { read: 2 }],
        ['two', { unread: 'two', instead: null }],
      ],
    ],
    [
      'time',
      f.time('x'),
      [
        [0, { kept: 0 }],
        [1_795_392_000_000, { kept: 1_795_392_000_000 }],
        ['1795392000000', { read: 1_795_392_000_000 }],
        [8_640_000_000_000_000, { kept: 8_640_000_000_000_000 }],
        [8_640_000_000_000_001, { unread: '8640000000000001', instead: null }],
        [-1, { unread: '-1', instead: null }],
        ['-1', { unread: '-1', instead: null }],
        [null, { read: null }],
      ],
    ],
    [
      'id',
      f.id('x'),
      [
        ['734829105569911040', { kept: '734829105569911040' }],
        [42, { read: '42' }],
        [-42, { unread: '-42', instead: '' }],
        ['42a', { unread: '42a', instead: '' }],
        ['1'.repeat(21), { unread: '1'.repeat(21), instead: '' }],
        [['42'], { unread: '["42"]', instead: '' }],
        [null, { read: '' }],
        [undefined, { read: '' }],
      ],
    ],
    [
      'text',
      f.text('x'),
      [
        ['', { kept: '' }],
        ['any', { kept: 'any' }],
        [5, { read: '5' }],
        [true, { unread: 'true', instead: '' }],
        [null, { read: '' }],
        [undefined, { read: '' }],
      ],
    ],
    [
      'word of a list',
      f.choice({ A: 'a' }, 'x'),
      [
        ['B', { kept: 'B' }],
        [null, { read: '' }],
      ],
    ],
    [
      'flag',
      f.flag('x'),
      [
        ...[true, false, 0, 1].map((one): [unknown, unknown] => [one, { kept: one }]),
        ['true', { read: true }],
        ['false', { read: false }],
        ['1', { read: 1 }],
        ['0', { read: 0 }],
        [2, { unread: '2', instead: null }],
        ['yes', { unread: 'yes', instead: null }],
        ...NOTHING.map((one): [unknown, unknown] => [one, { read: null }]),
      ],
    ],
    [
      'list',
      f.list('x'),
      [
        [[1], { kept: [1] }],
        ['a', { unread: 'a', instead: [] }],
        [null, { read: [] }],
      ],
    ],
    [
      'number',
      f.number('x'),
      [
        ['0.1', { kept: '0.1' }],
        [3, { read: '3' }],
      ],
    ],
  ])('%s', (_kind, one, cases) => {
    for (const [value, reading] of cases)
      expect(readingOf(one, value), JSON.stringify(value)).toEqual(reading);
  });

  it('that may be missing is null then, and else as before', () => {
    const one = f.optional(f.id('x'));
    expect(one).toMatchObject({ optional: true, expected: 'digits as text, or null' });
    expect(readingOf(one, null)).toEqual({ kept: null });
    expect(readingOf(one, '')).toEqual({ read: null });
    expect(readingOf(one, '7')).toEqual({ kept: '7' });
    expect(readingOf(one, 'x')).toEqual({ unread: 'x', instead: '' });
  });

  it('that is required accepts nothing empty', () => {
    const one = f.required(f.text('x'));
    expect([null, '', 'a'].map((value) => one.accepts(value))).toEqual([false, false, true]);
    expect(f.required(f.decimal('x')).accepts(null)).toBe(false);
    expect(one.required).toBe(true);
  });

  it('is optional, required and documented only where it says so', () => {
    const inner = { a: f.text('a') };
    for (const one of [f.text('x'), f.object(inner, 'x')])
      expect(one).toMatchObject({ optional: false, required: false, label: 'x', meaning: '' });
    const kinds = {
      ...{ decimal: f.decimal('x'), number: f.number('x'), integer: f.integer('x'), time: f.time('x') },
      ...{
        id: f.id('x'),
        text: f.text('x'),
        choice: f.choice({}, 'x'),
        flag: f.flag('x'),
        list: f.list('x'),
      },
      ...{ 'number-choice': f.numberChoice({}, 'x'), object: f.object(inner, 'x') },
    };
    expect(Object.fromEntries(Object.entries(kinds).map(([kind, one]) => [kind, one.expected]))).toEqual({
      ...{ decimal: 'decimal text', number: 'number', integer: 'integer', time: 'milliseconds since 1970' },
      ...{ id: 'digits as text', text: 'text', choice: 'text', flag: 'true, false, 0 or 1', list: 'list' },
      ...{ 'number-choice': 'integer', object: 'object' },
    });
    for (const [kind, one] of Object.entries(kinds)) expect(one).toMatchObject({ kind, meaning: '' });
  });
});

describe('an embedded record', () => {
  const one = f.object({ price: f.decimal('price'), note: f.text('note') }, 'x');
  it('is kept if every field of it can be, and has no other', () => {
    const whole = { price: '1', note: '' };
    expect(readingOf(one, whole)).toEqual({ kept: whole });
    expect(readingOf(one, null)).toEqual({ kept: null });
    expect(readingOf(one, { ...whole, more: 1 })).toEqual({ read: whole });
    expect(readingOf(one, { note: '', other: 1 })).toEqual({ read: { price: null, note: '' } });
    expect(readingOf(one, { price: 'x', note: '' })).toEqual({
      read: { price: null, note: '', received: { price: 'x' } },
    });
    expect(readingOf(one, '')).toEqual({ read: null });
    expect(readingOf(one, [1])).toEqual({ unread: '[1]', instead: null });
  });
});

describe('a record', () => {
  const table = { id: f.required(f.id('id')), price: f.decimal('price'), at: f.required(f.time('at')) };
  it('passes the quick check only if every field does', () => {
    const check = f.recordCheck(table);
    const good = { id: '1', price: '2', at: 3 };
    expect(check(good)).toBe(true);
    for (const bad of [null, [], 'x', {}, { ...good, id: '' }, { ...good, price: 'x' }, { ...good, at: -1 }])
      expect(check(bad), JSON.stringify(bad)).toBe(false);
  });

  it('names what could not be read, keeps what came, and faults at the first required field', () => {
    expect(f.readRecord(table, { id: '1', price: '1E2', at: 3 })).toEqual({
      record: { id: '1', price: '100', at: 3, received: { price: '1E2' } },
      unreadable: [],
      fault: null,
    });
    expect(f.readRecord(table, { id: 'a', price: 'b', at: 'c' })).toEqual({
      record: { id: '', price: null, at: null, received: { id: 'a', price: 'b', at: 'c' } },
      unreadable: ['id', 'price', 'at'],
      fault: 'id',
    });
    expect(f.readRecord(table, { id: '1', price: '2' })).toEqual({
      record: { id: '1', price: '2', at: null },
      unreadable: [],
      fault: 'at',
    });
  });

  it('takes no value from what every object has', () => {
    expect(f.readRecord({ constructor: f.text('x') }, {}).record['constructor']).toBe('');
  });
});

it('an untrusted value is shown short, and nothing as such', () => {
  const text = (length: number): string => 'x'.repeat(length);
  expect(f.shown(undefined)).toBe('nothing');
  expect(f.shown({ a: 1 })).toBe('{"a":1}');
  expect(f.shown(text(58))).toBe(`"${text(58)}"`);
  expect(f.shown(text(59))).toBe(`"${text(56)}…`);
});

it('a flag is on as true or 1 only', () => {
  expect([true, 1, false, 0, 2].map(isOn)).toEqual([true, true, false, false, false]);
});
