/**
 * Fuzzing: decimals, JSON, outcomes of orders, records of every endpoint, inputs of every call of the bridge.
 * Prints a fault with the seed that reproduces it.
 *
 *   node tests/stress/fuzz.ts [inputs of each] [first seed]
 */
import { registerHooks } from 'node:module';
import { fakeIpcMain, ECHO, ownEvent } from '../bridge/echo.ts';
import { fuzzBridge, type BridgeFuzzed } from '../bridge/fuzz-bridge.ts';
import { fuzzOutcomes } from '../exchange/fuzz-outcomes.ts';
import type { Fuzzed } from '../shared/seeded-random.ts';
import { fuzzDecimals } from '../shared/fuzz-decimals.ts';
import { fuzzJson } from '../shared/fuzz-json.ts';
import { fuzzRecords } from '../shared/fuzz-records.ts';

const [count = '100000', first = '1'] = process.argv.slice(2);
const inputs = Number.parseInt(count, 10);
const from = Number.parseInt(first, 10);

const reported = (name: string, startedAt: number, found: Fuzzed): boolean => {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(
    `${name.padEnd(34)}${found.inputs} inputs, ${found.accepted} accepted, ${found.refused} rejected, ` +
      `${found.faults.length} faults (${seconds} s)`,
  );
  for (const fault of found.faults) console.log(`  ${fault}`);
  return found.inputs > 0 && found.faults.length === 0;
};

let met = true;
for (const [name, run] of [
  ['decimals', fuzzDecimals],
  ['JSON', fuzzJson],
  ['outcomes of orders', fuzzOutcomes],
  ['records of every endpoint', fuzzRecords],
] as const) {
  const startedAt = performance.now();
  met = reported(name, startedAt, run(inputs, from)) && met;
}

const startedAt = performance.now();
const bridge = await bridgeFuzz();
met = reported(`inputs of ${bridge.taken} of ${bridge.calls} calls`, startedAt, bridge) && met;
if (!met || bridge.taken < bridge.calls) process.exitCode = 1;

/** Fuzzes the bridge's own code with Electron's part mocked, since its package has no binary here. */
async function bridgeFuzz(): Promise<BridgeFuzzed> {
  const ipcMain = fakeIpcMain();
  Object.assign(globalThis, { ballastIpcMain: ipcMain });
  registerHooks({
    resolve: (name, context, next) =>
      name === 'electron'
        ? {
            url: 'data:text/javascript,export const ipcMain = globalThis.ballastIpcMain;',
            shortCircuit: true,
          }
        : next(name, context),
  });
  const { serveBridge } = await import('../../src-main/bridge/serve.ts');
  const page = {};
  let defects = 0;
  serveBridge(ECHO, {
    page: () => page as never,
    isOwnAddress: () => true,
    listening: () => undefined,
    defect: () => (defects += 1),
  });
  const event = ownEvent(page);
  const found = await fuzzBridge(inputs, (name, input) => ipcMain.of(name)(event, input), from);
  return defects === 0 ? found : { ...found, faults: [...found.faults, `${defects} defects`] };
}
