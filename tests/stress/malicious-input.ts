/**
 * A malicious exchange: 50 payloads in every field of every endpoint, through the real client over HTTP. Their
 * effect in the window: e2e/malicious-input.spec.ts.
 *
 *   node tests/stress/malicious-input.ts
 */
import { sendFieldPayloads, sendReplyPayloads } from '../exchange/malicious-input.ts';
import { TIMEOUTS } from '../../src-main/exchange/transport.ts';
import { WHOLE_REPLIES } from '../shared/malicious-payloads.ts';

/** The client's own timeout of an order, plus a margin for a busy machine. */
const LONGEST_MS = TIMEOUTS.order + 5_000;
const MOST_MEMORY = 300 * 1024 * 1024;
const mb = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;

const whole = await sendReplyPayloads();
const fields = await sendFieldPayloads();
const payloads = fields.payloads + WHOLE_REPLIES.length;
console.log(
  `payloads × fields of 7 endpoints  ${payloads}: ${fields.payloads} × ${fields.fields} fields, ${WHOLE_REPLIES.length} × 7 replies`,
);
console.log(`replies served                    ${fields.served + whole.served}`);
console.log(`  shown as plain text             ${fields.taken}`);
console.log(`  rejected with a message         ${fields.refused + whole.served}`);
console.log(`run, hung, or reported wrongly    ${fields.faults.length + whole.faults.length}`);
console.log(`slowest of a field's payload      ${Math.round(fields.slowestMs)} ms`);
console.log(`slowest whole reply (slow drip)   ${(whole.slowestMs / 1000).toFixed(1)} s`);
console.log(`most read of a 200 MB body        ${mb(whole.mostPushed)}`);
console.log(`most memory taken                 ${mb(whole.mostMemory)}`);
console.log(`event loop blocked at most        ${Math.round(whole.mostBlockedMs)} ms`);
for (const fault of [...whole.faults, ...fields.faults].slice(0, 30)) console.log(`  ${fault}`);
const met =
  payloads >= 50 &&
  fields.faults.length + whole.faults.length === 0 &&
  whole.slowestMs < LONGEST_MS &&
  whole.mostMemory < MOST_MEMORY;
if (!met) process.exitCode = 1;
