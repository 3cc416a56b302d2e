import { expect, test } from 'vitest';
import { failureText } from './failure-text.ts';

test('writes the code unless the message has it, what happened and what to do, with grouped digits', () => {
  const message = 'The file has 12000 rows.';
  expect(failureText({ kind: 'rejected', message, next: 'Split it.', code: '700004' })).toBe(
    'Code 700004. The file has 12,000 rows. Split it.',
  );
  expect(
    failureText({ kind: 'rejected', message: 'Rejected with code 700004.', next: '', code: '700004' }),
  ).toBe('Rejected with code 700004.');
});
