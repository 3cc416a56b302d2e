/**
 * Faults seeded in the source: the tests have to fail. StrykerJS mutates the rooms that hold guarantees
 * (tests/mutation/rooms.ts); lines of the window's walls and of packaging, which it cannot judge, are seeded by hand.
 *
 *   npm run test:mutants [-- room | seeded …]
 */
import { runRoom, type RoomResult } from '../mutation/run-room.ts';
import { runSeeded } from '../mutation/run-seeded.ts';
import { ROOMS } from '../mutation/rooms.ts';

const TARGET = 90;
const wanted = process.argv.slice(2);
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
const names = [...ROOMS.map(({ name }) => name), 'seeded'];
const unknown = wanted.filter((name) => !names.includes(name));

const scoreOf = ({ mutants, killed, equivalent }: RoomResult): number =>
  mutants === 0 ? 0 : ((killed + equivalent) / mutants) * 100;

async function main(): Promise<number> {
  if (unknown.length > 0) {
    console.error(`No such room: ${unknown.join(', ')}. There are: ${names.join(', ')}.`);
    return 2;
  }
  const results: RoomResult[] = [];
  for (const room of ROOMS.filter(({ name }) => isWanted(name))) {
    const result = await runRoom(room);
    results.push(result);
    for (const survivor of result.survivors) console.log(survivor);
    console.log(`${room.name}: ${scoreOf(result).toFixed(1)} % of ${result.mutants}\n`);
  }
  const allSeeded = !isWanted('seeded') || (await runSeeded());
  if (results.length > 0) {
    console.log('room              score  mutants  killed  equivalent  survived');
    for (const one of results) {
      const figures = [one.mutants, one.killed, one.equivalent, one.survivors.length];
      const [all = '', killed = '', equivalent = '', survived = ''] = figures.map(String);
      console.log(
        `${one.room.padEnd(16)} ${scoreOf(one).toFixed(1).padStart(5)} %  ${all.padStart(7)}  ${killed.padStart(6)}  ${equivalent.padStart(10)}  ${survived.padStart(8)}`,
      );
    }
    const reached = results.filter((one) => scoreOf(one) >= TARGET).length;
    console.log(`rooms at ${TARGET} % or more           ${reached} of ${results.length}`);
  }
  return allSeeded && results.every((one) => scoreOf(one) >= TARGET) ? 0 : 1;
}

process.exitCode = await main();
