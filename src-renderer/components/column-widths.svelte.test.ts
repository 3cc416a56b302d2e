import { expect, it } from 'vitest';
import { ColumnRoom } from './column-widths.ts';

function roomWithHead() {
  const head = document.createElement('th');
  const room = new ColumnRoom();
  const { destroy } = room.head(head, 'size');
  return { room, head, destroy };
}

it('keeps the widest text, with its digits made equal', () => {
  const { room, head } = roomWithHead();
  room.note('size', '1,042.50', false);
  room.note('size', '−7.25', false);
  room.note('other', '123,456,789.00', false);
  expect(head.dataset['widest']).toBe('0,000.00');
  room.note('size', '−1,042.50', false);
  expect(head.dataset['widest']).toBe('−0,000.00');
});

it('forgets the widest text when amounts are hidden', () => {
  const { room, head } = roomWithHead();
  room.note('size', '1,042.50', false);
  room.note('size', '•••••hidden', false);
  expect(head.dataset['widest']).toBe('');
});

it('reports the width to a head that is added later', () => {
  const { room, destroy } = roomWithHead();
  destroy();
  room.note('size', '12', false);
  const late = document.createElement('th');
  room.head(late, 'size');
  expect(late.dataset['widest']).toBe('00');
});

it('knows the font weight, and forgets the width with the rows', () => {
  const { room, head } = roomWithHead();
  room.note('size', '1,042,500', true);
  expect(head.style.getPropertyValue('--widest-weight')).toBe('500');
  expect(head.style.getPropertyValue('--marks')).toBe('2');
  room.forget();
  expect(head.dataset['widest']).toBe('');
});
