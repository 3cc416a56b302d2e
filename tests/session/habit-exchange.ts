/** A practice exchange with some habits, and its real state, read without the app's client. */
import { startPractice, type Practice } from '../../src-practice/index.ts';
import { contractTable, STANDARD_CONTRACTS } from '../../src-practice/engine/contract-list.ts';
import { JsonNumber, readJson, type Json } from '../../src-practice/http/json.ts';
import { Names } from '../../src-practice/http/names.ts';
import type { HabitName } from '../../src-practice/habits.ts';
import type { ConnectionSettings } from '../../src-shared/ipc/connections.ts';
import { SIGNING_PRESETS } from '../../src-shared/ipc/signing.ts';
import { connectionSettings } from './connection-settings.ts';
import { send, signed } from '../practice/client.ts';
import { control } from '../practice/controls.ts';

/** Values that differ from the default, by habit. */
export type HabitSet = { readonly [K in HabitName]?: string };

/** Where the practice exchange's manual clock starts (src-practice/start.ts). */
export const START = 1_795_392_000_000;

/** Orders in a millisecond, fewer than a list holds. */
const LARGE_ACCOUNT = 520;
const SECOND = 1_000;
const JSON_UTF8 = 'application/json; charset=utf-8';
const BODY_TYPES = { any: JSON_UTF8, json: JSON_UTF8, 'json-utf8': JSON_UTF8, text: 'text/plain' } as const;

/** A record as texts, digit for digit; null and nested values are ''. */
export type Row = ReadonlyMap<string, string>;

/** `null` and `""` both mean "not given". */
function textOf(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  if (value instanceof JsonNumber) return value.literal;
  return typeof value === 'boolean' ? String(value) : '';
}

export function rowsOf(list: Json | undefined): Row[] {
  if (!Array.isArray(list)) throw new TypeError('not a list');
  return list.map((each) => {
    if (!(each instanceof Map)) throw new TypeError('not a record');
    return new Map([...each].map(([name, value]) => [name, textOf(value)]));
  });
}

export class HabitExchange {
  readonly practice: Practice;
  readonly names: Names;

  private constructor(practice: Practice) {
    this.practice = practice;
    const contracts = contractTable(STANDARD_CONTRACTS, START);
    this.names = new Names(
      practice.habits,
      contracts.map(({ symbolId }) => symbolId),
    );
  }

  /** On a manual clock, with a short past. */
  static async start(habits: HabitSet): Promise<HabitExchange> {
    return new HabitExchange(await startPractice({ seed: 7, speed: 0, start: START, history: 70, habits }));
  }

  /** The connection settings for this exchange's habits. */
  settings(): ConnectionSettings {
    const { triggerTypes, convention } = this.practice.settings;
    return connectionSettings({
      name: 'Habits',
      baseUrl: this.practice.url,
      apiKey: this.practice.credentials.key,
      signing: {
        ...SIGNING_PRESETS.practice.profile,
        contentType: BODY_TYPES[this.practice.habits['body-type']],
      },
      triggerTypes: [...triggerTypes],
      reverseQuantity: 'new-position',
      convention,
      pace: 'gentle',
    });
  }

  control(method: string, path: string, input?: object): Promise<string> {
    return control(this.practice, method, path, input);
  }

  /** `data` of a reply, as the exchange wrote it. */
  async data(target: string): Promise<Json> {
    const { practice } = this;
    const { text } = await send(practice, 'GET', target, '', signed(practice, 'GET', target, ''));
    const envelope = readJson(text);
    const data = envelope instanceof Map ? envelope.get('data') : undefined;
    if (data === undefined || data === null) throw new Error(`${target}: ${text.slice(0, 200)}`);
    return data;
  }

  async trades(): Promise<Row[]> {
    return rowsOf(readJson(await this.control('GET', '/trades')));
  }

  async orders(): Promise<Row[]> {
    return rowsOf(readJson(await this.control('GET', '/orders')));
  }

  async mark(symbolId: string): Promise<string> {
    const known = this.names.contractIn(symbolId);
    const { contracts } = JSON.parse(await this.control('GET', '/state')) as {
      readonly contracts: readonly { readonly symbolId: string; readonly mark: string }[];
    };
    return contracts.find((one) => one.symbolId === known)?.mark ?? '0';
  }

  /** The maintenance margin rate of a coin, without the digits that a habit adds. */
  async rate(coin: string): Promise<string> {
    const account = await this.data('/ftapi/v1/account/info');
    const assets = account instanceof Map ? rowsOf(account.get('assets')) : [];
    const rate = assets.find((row) => row.get('coin') === coin)?.get('crossedMaintainMarginRate') ?? '';
    return /^\d+(?:\.\d{1,18})?/.exec(rate)?.[0] ?? '0';
  }

  async received(): Promise<Readonly<Record<string, number>>> {
    const { received } = JSON.parse(await this.control('GET', '/state')) as {
      readonly received: Readonly<Record<string, number>>;
    };
    return received;
  }

  /**
   * Places twice as many orders as a list holds, each time in two neighbouring milliseconds, so that a backfill by
   * time windows has to split there. They are cancelled at once. Returns the time.
   */
  async crowd(): Promise<number> {
    const symbolId = this.names.contract('BTC-USDT-M');
    const row = `{"symbolId":${JSON.stringify(symbolId)},"side":"BUY","type":"LIMIT","timeInForce":"FOK","quantity":0.001,"price":60000.0}`;
    const most = Number.parseInt(this.practice.habits['batch-limit'], 10);
    const steps = [1, 1, SECOND, 1];
    for (const advanceMs of steps) {
      await this.control('POST', '/clock', { advanceMs });
      for (let left = LARGE_ACCOUNT; left > 0; left -= most)
        await this.batch(new Array<string>(Math.min(left, most)).fill(row));
    }
    return START + steps.reduce((sum, one) => sum + one, 0);
  }

  private async batch(rows: readonly string[]): Promise<void> {
    const { practice } = this;
    const [target, body] = ['/ftapi/v1/batchOrders', `[${rows.join(',')}]`];
    const type = BODY_TYPES[practice.habits['body-type']];
    const headers = { ...signed(practice, 'POST', target, body), 'content-type': type };
    const { text } = await send(practice, 'POST', target, body, headers);
    if (!text.includes('"success":true')) throw new Error(text);
  }

  stop(): Promise<void> {
    return this.practice.stop();
  }
}
