/**
 * Fuzzes every call of the bridge with inputs made from its schema and then broken, as a compromised page could
 * send them. Each call must return a Result; a handler's input has passed its schema, and passes it again
 * unchanged.
 */
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { CALLS } from '../../src-shared/ipc/calls.ts';
import type { Result } from '../../src-shared/ipc/failures.ts';
import { CALL_NAMES, type CallName } from '../../src-shared/ipc/names.ts';
import { damaged, fuzz, must, type SeededRandom, type Fuzzed } from '../shared/seeded-random.ts';

const TEXTS = [
  '',
  'practice',
  'BTC-USDT-M',
  '0',
  '0.010',
  '64000.5',
  '5',
  '80',
  '12',
  '734829105569914880',
  'https://api.exchange.example',
  'https://exchange.example/orders',
  'MARK_PRICE',
  'X-API-KEY',
  'application/json',
  '{timestamp}{method}{target}{body}',
  'UTC',
  '08:30',
  '2026-11-21',
  'a name',
  'NONE',
  ...CALL_NAMES,
];
const NUMBERS = [0, 1, 2, 5, 8, 10, 12, 50, 60, 100, 250, 1000, 60_000, 1_763_000_000_000];
const ODD: readonly (() => unknown)[] = [
  () => undefined,
  () => null,
  () => NaN,
  () => Infinity,
  () => -0,
  () => 0.1,
  () => 2 ** 60,
  () => 12n,
  () => '',
  () => '\u202e\ud800<script>',
  () => 'x'.repeat(100_000),
  () => [],
  () => ({}),
  () => new Date(NaN),
  () => new Map([['a', 1]]),
  () => new Set([1]),
  () => new Uint8Array(8),
  () => new Error('thrown'),
  () => JSON.parse('{"__proto__":{"polluted":true}}') as unknown,
  () => ({ constructor: { prototype: { polluted: true } } }),
  () => {
    const ring: Record<string, unknown> = {};
    ring['ring'] = ring;
    return ring;
  },
  () => {
    let deep: unknown = 1;
    for (let level = 0; level < 5_000; level++) deep = [deep];
    return deep;
  },
];

/** The parts of a schema needed to generate a value; valibot's own types are one per kind. */
interface Shape extends v.GenericSchema {
  readonly entries?: Readonly<Record<string, v.GenericSchema>>;
  readonly options?: readonly unknown[];
  readonly literal?: unknown;
  readonly wrapped?: v.GenericSchema;
  readonly item?: v.GenericSchema;
  readonly value?: v.GenericSchema;
}
const fitting = new Map<unknown, readonly unknown[]>();

/** The `values` the schema accepts, cached. */
function taken(shape: Shape, values: readonly unknown[]): readonly unknown[] {
  const before = fitting.get(shape);
  if (before !== undefined) return before;
  const found = values.filter((one) => v.safeParse(shape, one).success);
  must(found.length > 0, 'no generated value is valid for:', shape.type);
  fitting.set(shape, found);
  return found;
}

function known(inner: v.GenericSchema | undefined): v.GenericSchema {
  if (inner === undefined) throw new TypeError('a schema without its inner part');
  return inner;
}

function right(schema: v.GenericSchema, random: SeededRandom): unknown {
  const shape: Shape = schema;
  switch (shape.type) {
    case 'undefined':
      return undefined;
    case 'boolean':
      return random.often(50);
    case 'string':
      return random.one(taken(shape, TEXTS));
    case 'number':
      return random.one(taken(shape, NUMBERS));
    case 'literal':
      return shape.literal;
    case 'picklist':
      return random.one(shape.options ?? []);
    case 'nullable':
      return random.often(40) ? null : right(known(shape.wrapped), random);
    case 'optional':
    case 'exact_optional':
      return right(known(shape.wrapped), random);
    case 'array':
      return Array.from({ length: 1 + random.below(3) }, () => right(known(shape.item), random));
    case 'record':
      return { [random.one(TEXTS)]: right(known(shape.value), random) };
    case 'variant':
      return right(random.one((shape.options ?? []) as readonly v.GenericSchema[]), random);
    default: {
      const entries = Object.entries(shape.entries ?? {}).filter(
        ([, one]) => !/optional$/.test(one.type) || random.often(50),
      );
      return Object.fromEntries(entries.map(([name, one]) => [name, right(one, random)]));
    }
  }
}

function broken(value: unknown, random: SeededRandom): unknown {
  if (typeof value === 'object' && value !== null && random.often(80)) {
    const keys = Object.keys(value);
    if (keys.length === 0 || random.often(10))
      return { ...value, [random.one(['extra', 'constructor', '0'])]: random.one(ODD)() };
    const key = random.one(keys);
    const inner: unknown = (value as Readonly<Record<string, unknown>>)[key];
    if (random.often(10)) return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
    const next = broken(inner, random);
    return Array.isArray(value)
      ? value.map((one: unknown) => (one === inner ? next : one))
      : { ...value, [key]: next };
  }
  return typeof value === 'string' && random.often(60) ? damaged(value, random) : random.one(ODD)();
}

const NOT_BOUNDED = 'The window sent more than a call takes.';

/** The value after structured clone; null when it cannot be cloned and so never arrives. */
function arrives(value: unknown): { readonly value: unknown } | null {
  try {
    return { value: structuredClone(value) };
  } catch {
    return null;
  }
}

export interface BridgeFuzzed extends Fuzzed {
  /** Calls whose schema accepted at least one input. */
  readonly taken: number;
  readonly calls: number;
}

/** @param ask calls the bridge like the window; its handlers return their input */
export async function fuzzBridge(
  inputs: number,
  ask: (name: CallName, input: unknown) => Promise<Result<unknown>>,
  from = 1,
): Promise<BridgeFuzzed> {
  const asked: Promise<string | null>[] = [];
  const seen = new Set<CallName>();
  const sum = fuzz(inputs, from, (random) => {
    const name = CALL_NAMES[random.below(CALL_NAMES.length)]!;
    const made = right(CALLS[name].input, random);
    const input = arrives(random.often(35) ? made : broken(made, random));
    if (input === null) return 'refused';
    const parsed = v.safeParse(CALLS[name].input, input.value);
    must(!('polluted' in {}), 'a prototype was written to by', name);
    if (parsed.success) {
      seen.add(name);
      const again = v.safeParse(CALLS[name].input, parsed.output);
      must(again.success, 'accepted once, rejected the second time:', name);
      must(isDeepStrictEqual(again.output, parsed.output), 'read twice with different results:', name);
    }
    asked.push(resultOf(name, input.value, parsed.success, ask));
    return parsed.success ? 'accepted' : 'refused';
  });
  const answers = await Promise.all(asked);
  return {
    ...sum,
    faults: [...sum.faults, ...answers.filter((one) => one !== null)],
    taken: seen.size,
    calls: CALL_NAMES.length,
  };
}

async function resultOf(
  name: CallName,
  input: unknown,
  takes: boolean,
  ask: (name: CallName, input: unknown) => Promise<Result<unknown>>,
): Promise<string | null> {
  try {
    const result = await ask(name, input);
    // Schemas take a map or bytes for a record without entries; the bridge takes plain objects only.
    const isPlain = result.ok || result.failure.message !== NOT_BOUNDED;
    if (result.ok !== takes && isPlain)
      return `${name}: ${result.ok ? 'passed to the handler' : 'rejected'}, unlike its schema`;
    if (!result.ok && (result.failure.kind !== 'blocked' || result.failure.message === ''))
      return `${name}: rejected without a message`;
    return null;
  } catch (error) {
    return `${name} threw ${error instanceof Error ? error.message : String(error)}`.slice(0, 300);
  }
}
