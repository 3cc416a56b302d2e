/**
 * Keychain faults: six states of a real keychain on a private bus × get, set, delete. Six of the cases wait 9.5 s
 * each for a keychain that never replies.
 *
 *   node tests/stress/keychain.ts [part of a state's name]
 */
import { ACTIONS, keychainCase, missingFor, STATES } from '../vault/keychain-states.ts';
import { skipReason } from '../vault/private-keyring.ts';

const WORDS_WITHIN_MS = 10_000;
const BLOCKED_AT_MOST_MS = 1_000;

const [part = ''] = process.argv.slice(2);
const sum = { cases: 0, overwritten: 0, late: 0, blocked: 0, missing: skipReason === '' ? 0 : 1 };
if (skipReason !== '') console.log(`not tried: ${skipReason}`);
else
  for (const state of STATES.filter((one) => one.includes(part))) {
    const missing = missingFor(state);
    if (missing !== null) {
      sum.missing++;
      console.log(`${state.padEnd(18)} not tried: ${missing}`);
      continue;
    }
    for (const action of ACTIONS) {
      const { messageMs, message, blockedMs, overwritten } = await keychainCase(state, action);
      sum.cases++;
      if (overwritten) sum.overwritten++;
      if (messageMs > WORDS_WITHIN_MS) sum.late++;
      if (blockedMs > BLOCKED_AT_MOST_MS) sum.blocked++;
      const seconds = `${(messageMs / 1000).toFixed(1)} s`.padStart(6);
      console.log(
        `${state.padEnd(18)} ${action.padEnd(7)} ${seconds}  ${overwritten ? 'OVERWRITTEN' : 'kept'}  ${message.slice(0, 110)}`,
      );
    }
  }
console.log(`keychain states × actions         ${sum.cases}`);
console.log(`messages later than 10 s          ${sum.late}`);
console.log(`main process blocked              ${sum.blocked}`);
console.log(`overwritten                       ${sum.overwritten}`);
if (sum.overwritten + sum.late + sum.blocked + sum.missing > 0 || sum.cases === 0) process.exitCode = 1;
