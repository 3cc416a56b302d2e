// Prints the slowest stages, files and tests of the last run: `npm run test:slowest [-- COUNT]`. Also prints what
// took more than 0.5 s and 25 % longer than the run before.
import { byFile, readTimes, type Times } from './times.ts';

const most = Number.parseInt(process.argv[2] ?? '15', 10);
const GROWN_SECONDS = 0.5;
const GROWN_SHARE = 1.25;

type Row = readonly [name: string, last: number, before: number | undefined];
const stages = Object.entries(readTimes());
const rows = (read: (times: Times) => Readonly<Record<string, number>>): Row[] =>
  stages
    .flatMap(([, { last, before }]) => {
      const old = before === null ? {} : read(before);
      return Object.entries(read(last)).map(([name, seconds]): Row => [name, seconds, old[name]]);
    })
    .sort(([, a], [, b]) => b - a);

const text = ([name, last, before]: Row): string =>
  `${last.toFixed(1).padStart(8)} s ${before === undefined ? '     new' : `${before.toFixed(1).padStart(6)} s`}  ${name}`;
const show = (title: string, list: readonly Row[]): void =>
  console.log(`\n${title}\n    last      before\n${list.map(text).join('\n')}`);

if (stages.length === 0) console.log('No run yet: `npm test` writes the times.');
else {
  const tests = rows(({ tests: all }) => all);
  show(
    'stages',
    stages.map(([name, { last, before }]): Row => [name, last.seconds, before?.seconds]),
  );
  show('slowest files', rows(byFile).slice(0, most));
  show('slowest tests', tests.slice(0, most));
  const grown = tests.filter(
    ([, last, before]) =>
      before !== undefined && last > before * GROWN_SHARE && last > before + GROWN_SECONDS,
  );
  if (grown.length > 0) show('grew since the run before', grown);
  else console.log('\nNothing grew since the run before.');
}
