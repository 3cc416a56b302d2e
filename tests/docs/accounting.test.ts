import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  bankruptcy,
  crossLiquidation,
  isolatedLiquidation,
} from '../../src-shared/domain/margin/liquidation.ts';
import {
  averageEntry,
  initialMargin,
  maintenanceMargin,
  positionValue,
} from '../../src-shared/domain/margin/margin.ts';
import { openedProfit, profit } from '../../src-shared/domain/margin/pnl.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'accounting.md'), 'utf8');
const CALLS: Readonly<Record<string, (input: never) => unknown>> = {
  averageEntry,
  bankruptcy,
  crossLiquidation,
  initialMargin,
  isolatedLiquidation,
  maintenanceMargin,
  openedProfit,
  positionValue,
  profit,
};

interface Example {
  readonly call: string;
  readonly input: never;
  /** A non-terminating decimal by its first digits. */
  readonly is: string | readonly string[];
}
const examples = [...page.matchAll(/```json example\n([^]*?)```/g)].map(
  ([, text]) => JSON.parse(text ?? '') as Example,
);

const matches = (found: unknown, is: string): boolean =>
  typeof found === 'string' &&
  (found === is || (is.includes('.') && found.length > is.length && found.startsWith(is)));

describe('worked examples of docs/accounting.md', () => {
  it('call each formula at least once', () => {
    expect(new Set(examples.map(({ call }) => call))).toEqual(new Set(Object.keys(CALLS)));
  });

  it.each(examples.map((one, at) => [`${at + 1}: ${one.call}`, one] as const))(
    '%s',
    (_name, { call, input, is }) => {
      const found = CALLS[call]?.(input);
      const [all, wanted] = Array.isArray(found)
        ? [found, is as readonly string[]]
        : [[found], [is as string]];
      expect(all.length).toBe(wanted.length);
      for (const [at, text] of wanted.entries())
        expect(matches(all[at], text), `${String(all[at])}, not ${text}`).toBe(true);
    },
  );
});
