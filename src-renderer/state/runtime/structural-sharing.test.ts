import { describe, expect, it } from 'vitest';
import { shareStructure } from './structural-sharing.ts';

const account = (mark: string, more: readonly object[] = []): object => ({
  equity: '12.5',
  positions: [{ id: 1, mark, orders: [{ price: '7' }] }, { id: 2, mark: '5', orders: [] }, ...more],
});
const positions = (value: object): readonly { orders: object }[] =>
  (value as { positions: readonly { orders: object }[] }).positions;

describe('a reply compared with the previous one', () => {
  it('is the previous object if nothing changed', () => {
    const before = account('3');
    expect(shareStructure(before, account('3'))).toBe(before);
  });

  it('has the new values, but keeps the objects of unchanged records', () => {
    const before = account('3');
    const after = shareStructure(before, account('4', [{ id: 3 }]));
    expect(after).toEqual(account('4', [{ id: 3 }]));
    expect(positions(after)[0]).not.toBe(positions(before)[0]);
    expect(positions(after)[0]!.orders).toBe(positions(before)[0]!.orders);
    expect(positions(after)[1]).toBe(positions(before)[1]);
  });

  it('is not equal to one with more or other fields, or of another type', () => {
    const pairs: readonly (readonly [unknown, unknown])[] = [
      [{ a: 1, b: 2 }, { a: 1 }],
      [{ a: 1 }, { a: 1, b: undefined }],
      [{ a: 1 }, { b: 1 }],
      [[], {}],
      [[1, 2], [1]],
      [null, { a: 1 }],
      [{ a: 1 }, null],
      [{ a: null }, { a: {} }],
    ];
    for (const [before, after] of pairs) expect(shareStructure(before, after)).toBe(after);
  });
});
