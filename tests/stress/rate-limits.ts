/**
 * Rate limits: simulated days of limits, failures and jumping clocks on an injected clock.
 *
 *   node tests/stress/rate-limits.ts [days] [first seed]
 */
import { NO_RATE_LIMIT_FIGURES, simulateDay, type RateLimitFigures } from '../sync/rate-limits.ts';

const [days = '30', first = '1'] = process.argv.slice(2);
const sum: RateLimitFigures = { ...NO_RATE_LIMIT_FIGURES };
const from = Number.parseInt(first, 10);
for (let seed = from; seed < from + Number.parseInt(days, 10); seed++) {
  const one = await simulateDay(seed);
  for (const name of Object.keys(sum) as (keyof RateLimitFigures)[]) sum[name] += one[name];
}
console.log(`simulated days, requests          ${sum.days}, ${sum.requests}`);
console.log(`limits met, jumps of the clock    ${sum.limits}, ${sum.clockJumps}`);
console.log(`requests inside Retry-After       ${sum.insideRetryAfter}`);
console.log(`within 60 s of a bare 429         ${sum.afterBareLimit}`);
console.log(`after 418                         ${sum.afterStop}`);
console.log(`through an open breaker           ${sum.throughBreaker}`);
console.log(`two in flight for a resource      ${sum.twoInFlight}`);
console.log(`web page or half a reply taken    ${sum.wronglyFresh}`);
console.log(`not recovered at the end          ${sum.stuck}`);
const broken =
  sum.insideRetryAfter +
  sum.afterBareLimit +
  sum.afterStop +
  sum.throughBreaker +
  sum.twoInFlight +
  sum.wronglyFresh +
  sum.stuck;
if (broken > 0 || sum.days === 0 || sum.limits === 0 || sum.clockJumps === 0) process.exitCode = 1;
