/**
 * The changes the controls can make. Inputs are JSON objects; an invalid one is rejected by field and changes
 * nothing.
 */
import { parseUnits } from '../engine/atoms.ts';
import { accept, reject } from '../engine/request.ts';
import type { Checked } from '../engine/request.ts';
import { habitFault, readHabits } from '../habits.ts';
import type { Habits } from '../habits.ts';
import { flag, number, oneOf, optional, readInput, record, text, whole } from './control-input.ts';
import type { InputOf } from './control-input.ts';
import { ENDPOINTS } from './endpoints.ts';
import { noneReceived } from './exchange-server.ts';
import type { Exchange } from './exchange-server.ts';
import type { WorldLine } from '../state-lines.ts';
import { ACTIONS } from './faults.ts';
import { DAY_MS } from '../../src-shared/time.ts';

export interface Controlled {
  readonly exchange: Exchange;
  world: WorldLine;
  /** Stores the state of the clock after it was set. */
  readonly storeClock: () => void;
  /** Starts a new exchange of a seed and habits, beginning now. */
  readonly restart: (seed: number, habits: Habits) => WorldLine;
}

type Handler = (controlled: Controlled, input: unknown) => Checked<unknown>;

/** Validates the input's fields, then runs the change. */
const handler =
  <S extends Parameters<typeof readInput>[0]>(
    shape: S,
    act: (controlled: Controlled, input: InputOf<S>) => Checked<unknown>,
  ): Handler =>
  (controlled, input) => {
    const read = readInput(shape, input);
    return read.ok ? act(controlled, read.value) : read;
  };

const now = ({ exchange }: Controlled): number => exchange.clock.now();

const YEAR_MS = 366 * DAY_MS;

const HANDLERS: Readonly<Record<string, Handler>> = {
  'POST /clock': handler(
    { advanceMs: optional(whole(0, YEAR_MS)), speed: optional(number(0, 3600)) },
    ({ exchange, storeClock }, { advanceMs, speed }) => {
      if (speed !== undefined) exchange.clock.setSpeed(speed);
      if (advanceMs !== undefined) exchange.clock.advance(advanceMs);
      exchange.served.engine.notePassed(exchange.clock.now());
      storeClock();
      return accept(true);
    },
  ),
  'POST /shock': handler({ symbolId: text, share: text }, (controlled, { symbolId, share }) =>
    controlled.exchange.served.engine.shock(now(controlled), symbolId, share),
  ),
  'POST /faults': handler(
    {
      endpoint: oneOf([...ENDPOINTS, '*']),
      action: oneOf(ACTIONS),
      accept: optional(flag),
      nth: optional(whole(1, 1_000_000)),
      times: optional(whole(0, 1_000_000)),
      ms: optional(whole(0, 600_000)),
      status: optional(whole(400, 599)),
      retryAfter: optional(whole(0, 86_400)),
      code: optional(text),
    },
    ({ exchange }, rule) => accept(exchange.faults.add(rule)),
  ),
  'DELETE /faults': ({ exchange }) => accept(exchange.faults.clear()),
  'POST /leverage': handler(
    { symbolId: text, leverage: whole(1, 1000), marginMode: oneOf(['CROSSED', 'ISOLATED']) },
    (controlled, { symbolId, leverage, marginMode }) =>
      controlled.exchange.served.engine.setLeverage(now(controlled), symbolId, leverage, marginMode),
  ),
  'POST /position-mode': handler({ mode: oneOf(['ONEWAY', 'HEDGE']) }, (controlled, { mode }) =>
    controlled.exchange.served.engine.setPositionMode(now(controlled), mode),
  ),
  'POST /cancel': handler({ orderId: text }, (controlled, { orderId }) =>
    controlled.exchange.served.engine.cancel(now(controlled), orderId),
  ),
  'POST /grant': handler({ coin: text, amount: text }, (controlled, { coin, amount }) => {
    const atoms = parseUnits(amount, 8);
    if (atoms === null) return reject('700009', 'amount');
    return controlled.exchange.served.engine.grant(now(controlled), coin, atoms);
  }),
  'POST /bar': handler({ from: oneOf(['no', 'opening', 'trading']) }, (controlled, { from }) =>
    controlled.exchange.served.engine.bar(now(controlled), from),
  ),
  'POST /reset': handler(
    { seed: optional(whole(0, Number.MAX_SAFE_INTEGER)), habits: optional(record) },
    (controlled, { seed, habits }) => {
      const fault = habits === undefined ? null : habitFault(habits);
      if (fault !== null) return reject('700004', fault);
      const chosen = habits === undefined ? controlled.exchange.served.habits : readHabits(habits);
      controlled.world = controlled.restart(seed ?? controlled.world.seed, chosen);
      controlled.exchange.faults.clear();
      Object.assign(controlled.exchange.received, noneReceived());
      return accept(true);
    },
  ),
};

export function change(controlled: Controlled, method: string, path: string, body: string): Checked<unknown> {
  const key = `${method} ${path}`;
  const act = Object.hasOwn(HANDLERS, key) ? HANDLERS[key] : undefined;
  if (!act) return reject('404', `no such control: ${key.slice(0, 60)}`);
  let input: unknown = {};
  try {
    if (body !== '') input = JSON.parse(body);
  } catch (error) {
    if (error instanceof SyntaxError) return reject('700004', 'not JSON');
    throw error;
  }
  return act(controlled, input);
}
