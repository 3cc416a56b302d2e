/** What StrykerJS mutates, by module, each with the tests that must fail. Paths and globs from the root. */
export interface MutatedModule {
  readonly name: string;
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
  /** False where most texts are messages, whose words no test should repeat. */
  readonly mutatesTexts?: false;
}

const domain = (name: string, files: readonly string[], tests: readonly string[]): MutatedModule => ({
  name,
  mutate: files.map((file) => `src-shared/domain/${file}.ts`),
  tests: tests.map((test) => (/^(?:src-|tests\/)/.test(test) ? test : `src-shared/domain/${test}.test.ts`)),
});

const withoutTexts = (module: MutatedModule): MutatedModule => ({ ...module, mutatesTexts: false });

const main = (name: string, mutate: readonly string[], tests: readonly string[]): MutatedModule => ({
  name,
  mutate: [...mutate.map((file) => `src-main/${file}`), '!**/*.test.ts'],
  tests: tests.map((file) => (file.startsWith('tests/') ? file : `src-main/${file}`)),
});

/**
 * A folder of the order path with its own tests and those of the paths `through` it. With all tests of the order path,
 * a mutant of a constant, which needs each of them, takes a minute.
 */
const orders = (folder: string, ...through: readonly string[]): MutatedModule =>
  main(
    `orders-${folder}`,
    [`orders/${folder}/*.ts`],
    [`orders/${folder}/*.test.ts`, ...through.map((one) => `orders/${one}.test.ts`)],
  );

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
  withoutTexts(
    domain(
      'order-rules',
      ['order/{rules,*-rules,rule-input,check,crossing}'],
      ['order/{rules,day-rules,check,crossing,preview}', 'batch/row'],
    ),
  ),
  withoutTexts(
    domain(
      'order-size',
      ['order/{size,sizing,risk,fill-effect,preview,draft}'],
      ['order/{size,sizing,risk,draft,preview,rules}'],
    ),
  ),
  withoutTexts(domain('batch', ['batch/{ladder,row,csv,import}'], ['batch/{ladder,row,csv,import}'])),
  withoutTexts(
    domain(
      'account',
      [
        'account/{account,symbol-after,leg,figure,isolated-figure}',
        'batch/account-after',
        'risk/after-fills',
      ],
      ['account/*', 'batch/account-after', 'risk/{after-fills,resting-ladder}', 'order/preview'],
    ),
  ),
  withoutTexts(
    domain(
      'price-shock',
      ['risk/{price-shock,shock-orders,shock-fills,shocked,liquidation-sequence}'],
      ['risk/{liquidation-sequence,shock-orders}'],
    ),
  ),
  withoutTexts(
    domain(
      'risk',
      [
        'risk/{convention-fit,resting-ladder,exchange-comparison,liquidation-terms,account-health,divergence,margin-breakdown}',
      ],
      [
        'risk/{convention-fit,resting-ladder,exchange-comparison,liquidation-terms,account-health,divergence,margin-breakdown}',
      ],
    ),
  ),
  withoutTexts(
    domain(
      'position',
      ['position/{invariants,protection,totals}'],
      ['position/{invariants,protection,totals}'],
    ),
  ),
  withoutTexts(domain('portfolio', ['portfolio/{shared-contracts,sums,worst-ratio}'], ['portfolio/*'])),
  withoutTexts(
    domain(
      'alerts',
      ['alerts/{conditions,equity-change,evaluate,hysteresis,new-fills,quiet-hours,worst}'],
      ['alerts/*'],
    ),
  ),
  withoutTexts(
    domain(
      'history',
      ['history/{newest-fill,order-notes,order-windows,trade-pages,trade-stats}'],
      ['history/{newest-fill,order-notes,order-windows,trade-pages,trade-stats}'],
    ),
  ),
  withoutTexts(
    domain('trading-context', ['instrument/trading-context'], ['instrument/trading-context', 'order/rules']),
  ),
  domain('contract-specs', ['instrument/{specs,multiplier}'], ['instrument/{specs,multiplier}']),
  domain(
    'matching',
    ['reconcile/{matching,assignment,listed-orders,lifecycle,creation-windows,progress}'],
    ['reconcile/*', 'src-main/orders/{reconcile,batch}/*.test.ts'],
  ),
  domain(
    'liquidation',
    ['margin/{liquidation,solver,leg,tiers}', 'numeric/fraction'],
    [
      'margin/{liquidation*,risk-examples}',
      'numeric/fraction',
      'instrument/tier-table',
      'risk/what-if',
      'tests/domain/liquidation-oracle.test.ts',
    ],
  ),
  domain(
    'margin',
    ['margin/{margin,pnl,severity}', 'history/csv-cell'],
    ['margin/{margin,pnl,severity,risk-examples}', 'history/csv-cell', 'position/metrics'],
  ),
  domain(
    'tax',
    ['history/{tax-rows,rotki-assets,round-trips,profit-fit}'],
    ['history/{round-trips,profit-fit,rotki-assets}', 'src-main/archive/export/tax-lines.test.ts'],
  ),
  withoutTexts(main('vault', ['vault/{vault,secret-index,secret-item}.ts'], ['vault/{vault,rules}.test.ts'])),
  main('orders', ['orders/*.ts'], ['orders/*.test.ts']),
  orders('send', 'order-service', 'batch/batch', 'journal/full-disk'),
  orders('batch', 'order-service'),
  orders('reconcile'),
  orders('journal', 'order-service', 'restart'),
  orders('day'),
  // Without malicious-input.test.ts: its endless replies take ten seconds for each mutant.
  main('exchange', ['exchange/*.ts'], ['exchange/*.test.ts', 'tests/exchange/fuzz.test.ts']),
  main(
    'archive-writers',
    ['archive/{trades,orders}/{writer,codec}.ts', 'archive/trades/{seen-ranges,unreadable,daily-totals}.ts'],
    ['archive/{trades,orders}/*.test.ts', 'archive/sqlite/{database,received-text,old-archives}.test.ts'],
  ),
  main(
    'archive-days',
    ['archive/orders/{daily-results,gross-profit}.ts'],
    ['archive/{orders,reports}/*.test.ts', 'archive/maintenance/jobs.test.ts'],
  ),
  // With the tests of all maintenance, some of which start a worker, it takes an hour.
  main('archive-integrity', ['archive/maintenance/integrity.ts'], ['archive/maintenance/integrity.test.ts']),
  main(
    'archive-maintenance',
    ['archive/maintenance/{restore,copy}.ts', 'archive/notes/merge.ts'],
    ['archive/maintenance/*.test.ts'],
  ),
  main(
    'archive-export',
    [
      'archive/export/{trade-lines,order-lines,tax-lines,closing-orders,control-totals}.ts',
      'archive/csv/time.ts',
    ],
    ['archive/{csv,export}/*.test.ts'],
  ),
  main(
    'archive-csv',
    ['archive/import/rows.ts', 'archive/export/record-lines.ts', 'archive/csv/format.ts'],
    ['archive/{import,export}/*.test.ts'],
  ),
];
