/** What StrykerJS mutates, room by room, each with the tests that have to see it. Paths and globs from the root. */
export interface MutatedModule {
  readonly name: string;
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
}

const domain = (name: string, files: readonly string[], tests: readonly string[]): MutatedModule => ({
  name,
  mutate: files.map((file) => `src-shared/domain/${file}.ts`),
  tests: tests.map((test) => (test.includes('/') ? test : `src-shared/domain/${test}.test.ts`)),
});

const main = (name: string, mutate: readonly string[], tests: readonly string[]): MutatedModule => ({
  name,
  mutate: mutate.map((file) => `src-main/${file}`),
  tests: tests.map((file) => (file.startsWith('tests/') ? file : `src-main/${file}`)),
});

export const MODULES: readonly MutatedModule[] = [
  {
    name: 'amount',
    mutate: ['src-shared/amount.ts'],
    tests: ['src-shared/amount*.test.ts', 'tests/shared/fuzz.test.ts'],
  },
  {
    name: 'exchange-api',
    mutate: ['src-shared/exchange-api/{lossless-json,fields,enums}.ts'],
    tests: ['src-shared/exchange-api/*.test.ts', 'tests/shared/fuzz.test.ts'],
  },
  domain(
    'matching',
    ['matching', 'pairing', 'seen-orders', 'order-life'],
    ['matching', 'order-life', 'src-main/orders/{finding-out*,lists,batch}.test.ts'],
  ),
  domain(
    'liquidation',
    ['liquidation', 'liquidation-walk', 'liquidation-leg', 'tiers', 'fraction'],
    ['{liquidation*,fraction,risk-examples,tier-rows,what-if}', 'tests/domain/liquidation-oracle.test.ts'],
  ),
  domain(
    'margin',
    ['margin', 'pnl', 'margin-grade', 'csv-cell'],
    ['{margin,pnl,csv-cell,risk-examples,position-figures}'],
  ),
  domain('tax', ['tax-rows', 'round-trips'], ['round-trips', 'src-main/archive/export/tax-lines.test.ts']),
  main(
    'orders',
    ['orders/*.ts', '!src-main/orders/*.test.ts'],
    ['orders/*.test.ts', 'tests/orders/{fault-injection,batch-faults}.test.ts'],
  ),
  main(
    'exchange',
    ['exchange/*.ts', '!src-main/exchange/*.test.ts'],
    ['exchange/*.test.ts', 'tests/exchange/{fuzz,malicious-input}.test.ts'],
  ),
  main(
    'archive-writers',
    ['archive/{trade-writer,order-writer,trade-record,order-record,import-rows,csv-writer,csv-records}.ts'],
    [
      'archive/{trade-writer,order-writer,import-job,csv*,export-source,export-job,database,walk-seen}.test.ts',
    ],
  ),
];
