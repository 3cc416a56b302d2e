/** What the controls can change. Inputs are JSON objects; a wrong one is refused by its field and changes nothing. */
import * as v from 'valibot';
import { parseUnits } from '../engine/atoms.ts';
import type { Engine } from '../engine/engine.ts';
import { accept, refuse } from '../engine/request.ts';
import type { Checked } from '../engine/request.ts';
import { ENDPOINTS } from './endpoints.ts';
import { noneReceived } from './exchange-server.ts';
import type { Exchange } from './exchange-server.ts';
import { ACTIONS } from './faults.ts';

export interface Controlled {
  readonly exchange: Exchange;
  seed: number;
  /** A fresh exchange of a seed that starts now. */
  readonly rebuild: (seed: number, now: number) => Engine;
}

type Handler = (controlled: Controlled, input: unknown) => Checked<string>;

const DONE = accept('{"done":true}');
const whole = (low: number, high: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(low), v.maxValue(high));

/** Reads the input by its schema, then acts. */
function handler<Schema extends v.GenericSchema>(
  schema: Schema,
  act: (controlled: Controlled, input: v.InferOutput<Schema>) => Checked<unknown>,
): Handler {
  return (controlled, input) => {
    const read = v.safeParse(schema, input);
    if (!read.success) {
      const [issue] = read.issues;
      return refuse('700004', `${v.getDotPath(issue) ?? 'input'}: ${issue.message}`);
    }
    const acted = act(controlled, read.output);
    return acted.ok ? DONE : acted;
  };
}

const now = ({ exchange }: Controlled): number => exchange.clock.now();

const YEAR_MS = 366 * 86_400_000;

const faultSchema = v.strictObject({
  endpoint: v.picklist([...ENDPOINTS, '*']),
  action: v.picklist(ACTIONS),
  accept: v.exactOptional(v.boolean()),
  nth: v.exactOptional(whole(1, 1_000_000)),
  times: v.exactOptional(whole(0, 1_000_000)),
  ms: v.exactOptional(whole(0, 600_000)),
  status: v.exactOptional(whole(400, 599)),
  retryAfter: v.exactOptional(whole(0, 86_400)),
  code: v.exactOptional(v.pipe(v.string(), v.regex(/^\d{1,9}$/))),
});

const HANDLERS: Readonly<Record<string, Handler>> = {
  'POST /clock': handler(
    v.strictObject({
      advanceMs: v.exactOptional(whole(0, YEAR_MS)),
      speed: v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(3600))),
    }),
    ({ exchange }, { advanceMs, speed }) => {
      if (speed !== undefined) exchange.clock.setSpeed(speed);
      if (advanceMs !== undefined) exchange.clock.advance(advanceMs);
      exchange.engine.advanceTo(exchange.clock.now());
      return accept(true);
    },
  ),
  'POST /shock': handler(v.strictObject({ symbolId: v.string(), share: v.string() }), (controlled, input) =>
    controlled.exchange.engine.shock(now(controlled), input.symbolId, input.share),
  ),
  'POST /faults': handler(faultSchema, ({ exchange }, rule) => accept(exchange.faults.add(rule))),
  'DELETE /faults': handler(v.nullable(v.unknown()), ({ exchange }) => accept(exchange.faults.clear())),
  'POST /leverage': handler(
    v.strictObject({
      symbolId: v.string(),
      leverage: whole(1, 1000),
      marginMode: v.picklist(['CROSSED', 'ISOLATED']),
    }),
    (controlled, { symbolId, leverage, marginMode }) =>
      controlled.exchange.engine.setLeverage(now(controlled), symbolId, leverage, marginMode),
  ),
  'POST /cancel': handler(v.strictObject({ orderId: v.string() }), (controlled, { orderId }) =>
    controlled.exchange.engine.cancel(now(controlled), orderId),
  ),
  'POST /grant': handler(v.strictObject({ coin: v.string(), amount: v.string() }), (controlled, input) => {
    const atoms = parseUnits(input.amount, 8);
    if (atoms === null) return refuse('700009', 'amount');
    return controlled.exchange.engine.grant(now(controlled), input.coin, atoms);
  }),
  'POST /bar': handler(
    v.strictObject({ from: v.picklist(['no', 'opening', 'trading']) }),
    (controlled, input) => {
      controlled.exchange.engine.world.account.barred = input.from;
      return accept(true);
    },
  ),
  'POST /reset': handler(
    v.strictObject({ seed: v.exactOptional(whole(0, Number.MAX_SAFE_INTEGER)) }),
    (controlled, { seed }) => {
      controlled.seed = seed ?? controlled.seed;
      controlled.exchange.faults.clear();
      Object.assign(controlled.exchange.received, noneReceived());
      controlled.exchange.engine = controlled.rebuild(controlled.seed, now(controlled));
      return accept(true);
    },
  ),
};

export function change(controlled: Controlled, method: string, path: string, body: string): Checked<string> {
  const key = `${method} ${path}`;
  const act = Object.hasOwn(HANDLERS, key) ? HANDLERS[key] : undefined;
  if (!act) return refuse('404', `no such control: ${key.slice(0, 60)}`);
  let input: unknown = null;
  try {
    if (body !== '') input = JSON.parse(body);
  } catch (error) {
    if (error instanceof SyntaxError) return refuse('700004', 'not JSON');
    throw error;
  }
  return act(controlled, input);
}
