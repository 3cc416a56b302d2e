import { describe, expect, it } from 'vitest';
import { ColumnWidths } from './column-widths.ts';

function widthsWithHead() {
  const head = document.createElement('th');
  const widths = new ColumnWidths();
  const { destroy } = widths.head(head, 'size');
  return { widths, head, destroy };
}

it('keeps the widest text, with its digits made equal', () => {
  const { widths, head } = widthsWithHead();
  widths.note('size', '1,042.50', false);
  widths.note('size', '−7.25', false);
  widths.note('other', '123,456,789.00', false);
  expect(head.dataset['widest']).toBe('0,000.00');
  widths.note('size', '−1,042.50', false);
  expect(head.dataset['widest']).toBe('−0,000.00');
});

it('forgets the widest text when amounts are hidden', () => {
  const { widths, head } = widthsWithHead();
  widths.note('size', '1,042.50', false);
  widths.note('size', '•••••hidden', false);
  expect(head.dataset['widest']).toBe('');
});

it('reports the width to a head that is added later', () => {
  const { widths, destroy } = widthsWithHead();
  destroy();
  widths.note('size', '12', false);
  const late = document.createElement('th');
  widths.head(late, 'size');
  expect(late.dataset['widest']).toBe('00');
});

it('knows the font weight, and forgets the width with the rows', () => {
  const { widths, head } = widthsWithHead();
  widths.note('size', '1,042,500', true);
  expect(head.style.getPropertyValue('--widest-weight')).toBe('500');
  expect(head.style.getPropertyValue('--marks')).toBe('2');
  widths.forget();
  expect(head.dataset['widest']).toBe('');
});

describe('the place of a column’s units', () => {
  const placed = () => {
    const table = document.createElement('table');
    const head = table.appendChild(document.createElement('th'));
    const widths = new ColumnWidths();
    widths.head(head, 'size');
    return { widths, place: () => table.style.getPropertyValue('--unit-size') };
  };
  it('has room for the longest unit, also after other rows are shown', () => {
    const { widths, place } = placed();
    expect(place()).toBe('');
    widths.noteUnit('size', '\u2009BTC');
    expect(place()).toBe('29px');
    widths.noteUnit('size', '\u2009DOGE');
    widths.noteUnit('size', '\u2009USD');
    widths.forget();
    expect(place()).toBe('37px');
  });
  it('is bounded, so that a long unit does not push the columns', () => {
    const { widths, place } = placed();
    widths.noteUnit('size', '\u20091000000MOGWAI108');
    expect(place()).toBe('69px');
  });
});
