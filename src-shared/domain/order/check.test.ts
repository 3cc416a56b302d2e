import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  fail,
  mayBeSent,
  type OrderCheck,
  pass,
  unsure,
  use,
  warn,
  withNextStep,
  worstFirst,
} from './check.ts';

const NAME = { id: 'funds', code: '700017', field: 'size' } as const;
const STATES = ['pass', 'unknown', 'warn', 'fail'] as const;

it('is made with its name, its state and its message', () => {
  expect([pass, unsure, warn, fail].map((make) => make(NAME, 'Why'))).toEqual(
    STATES.map((state) => ({ ...NAME, state, message: 'Why' })),
  );
});

it('says what to do after what is wrong, if there is something to do', () => {
  expect(withNextStep({ message: 'It failed.', next: 'Try again.' })).toBe('It failed. Try again.');
  expect(withNextStep({ message: 'It failed.', next: '' })).toBe('It failed.');
  expect(withNextStep({ message: 'It failed.' })).toBe('It failed.');
});

const check = fc
  .record({ state: fc.constantFrom(...STATES), danger: fc.boolean(), message: fc.string() })
  .map(({ state, danger, message }): OrderCheck => ({
    ...{ ...NAME, state, message },
    ...(danger && state === 'warn' ? { danger } : {}),
  }));

it('blocks an order exactly if one failed', () => {
  fc.assert(
    fc.property(fc.array(check), (checks) => {
      expect(mayBeSent(checks)).toBe(!checks.some(({ state }) => state === 'fail'));
    }),
  );
});

it('is shown worst first, a danger before other warnings, else in the order of the rules', () => {
  const worst = ['fail', 'danger', 'warn', 'unknown', 'pass'];
  const nameOf = ({ state, danger }: OrderCheck): string => (danger ? 'danger' : state);
  fc.assert(
    fc.property(fc.array(check), (checks) => {
      expect(worstFirst(checks)).toEqual(
        worst.flatMap((name) => checks.filter((one) => nameOf(one) === name)),
      );
    }),
  );
});

it('suggests a value that can be sent, with its unit', () => {
  expect(use('price', '96000.000000000000000000000000')).toEqual({
    field: 'price',
    value: '96000',
    label: 'Use 96000',
  });
  expect(use('quantity', '0.577', 'BTC')).toEqual({
    field: 'quantity',
    value: '0.577',
    label: 'Use 0.577 BTC',
  });
});
