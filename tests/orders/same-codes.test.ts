/**
 * Compares the app's checks with the practice exchange's rejections: the same error has the same code on both
 * sides.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { amount, multiply, printFixed } from '../../src-shared/amount.ts';
import { DEFAULT_SETTINGS } from '../../src-shared/ipc/default-settings.ts';
import { contractsBySymbol } from '../../src-shared/domain/instrument/currencies.ts';
import { inferSpecs } from '../../src-shared/domain/instrument/specs.ts';
import { checkOrder } from '../../src-shared/domain/order/rules.ts';
import { referencesOf } from '../../src-shared/domain/instrument/reference-prices.ts';
import type { OrderRequest } from '../../src-shared/exchange-api/order-request.ts';
import { createClient, type ExchangeClient } from '../../src-main/exchange/client.ts';
import { encodeOrder } from '../../src-main/exchange/order-body.ts';
import { type Client, startClient } from '../practice/client.ts';
import { LIMIT } from '../domain/order-samples.ts';

const NEW = 'LINK-USDT-M';
const HELD = 'SOL-USDT-M';
let exchange: Client;
let client: ExchangeClient;
const now = (): number => 1_795_392_000_000;

beforeAll(async () => {
  exchange = await startClient();
  await exchange.control('POST', '/leverage', { symbolId: NEW, leverage: 20, marginMode: 'ISOLATED' });
  await exchange.control('POST', '/grant', { coin: 'USDT', amount: '100000000' });
  const { url, credentials } = exchange.practice;
  client = createClient({ baseUrl: url, credentials, signing: 'practice', clock: { now } });
});
afterAll(async () => {
  await client.close();
  await exchange.stop();
});

async function read<T>(reply: Promise<{ ok: true; data: T } | { ok: false; failure: unknown }>): Promise<T> {
  const one = await reply;
  if (!one.ok) throw new Error(JSON.stringify(one.failure));
  return one.data;
}

/** The first code the app names, whether it blocks the order or only warns. */
async function appCode(request: OrderRequest): Promise<string | null> {
  const [account, openOrders, history, contracts] = [
    await read(client.account()),
    await read(client.openOrders()),
    await read(client.orderHistory()),
    await read(client.symbolConfig()),
  ];
  const { symbolId } = request;
  const listed = contractsBySymbol(contracts);
  const seen = { positions: account.positions, openOrders, history, trades: null };
  const checks = checkOrder(
    { kind: 'order', request },
    {
      contracts,
      account,
      openOrders,
      specs: (id) => inferSpecs(id, listed.get(id), seen, null),
      references: referencesOf({
        symbolId,
        positions: account.positions,
        positionsAt: now(),
        ownTrade: null,
        typed: symbolId === NEW ? { price: await price(NEW), at: now() } : null,
        now: now(),
      }),
      limits: { ...DEFAULT_SETTINGS.limits, priceDeviationPercent: null },
      convention: 'flat',
      closingFee: true,
      marginUnit: null,
      day: null,
      unreadable: [],
      kind: 'practice',
      reverseQuantity: 'new-position',
      triggerTypes: ['MARK_PRICE', 'LAST_PRICE'],
      now: now(),
    },
  );
  const named = checks.filter((one) => one.state === 'fail' || one.state === 'warn');
  return named[0]?.code ?? null;
}

/** The mark in the practice exchange's controls. */
async function price(symbolId: string): Promise<string> {
  const { contracts } = (await exchange.control('GET', '/state')) as {
    readonly contracts: readonly { readonly symbolId: string; readonly mark: string }[];
  };
  return contracts.find((one) => one.symbolId === symbolId)?.mark ?? '';
}

const practiceCode = async (request: OrderRequest): Promise<string> =>
  (await exchange.post('/ftapi/v1/order', encodeOrder(request))).envelope.code;

/** `share` of the contract's mark, on its grid. */
async function near(symbolId: string, share: string): Promise<string> {
  return printFixed(multiply(amount(await price(symbolId)), amount(share)), 2, 'down');
}

type Make = () => OrderRequest | Promise<OrderRequest>;
const limit = async (
  symbolId: string,
  share: string,
  more: Partial<OrderRequest>,
): Promise<OrderRequest> => ({
  ...LIMIT,
  symbolId,
  quantity: '1',
  price: await near(symbolId, share),
  ...more,
});
const stop = async (symbolId: string, share: string): Promise<Pick<OrderRequest, 'tpSl'>> => ({
  tpSl: { tpTriggerType: 'NONE', slTriggerType: 'MARK_PRICE', slPrice: await near(symbolId, share) },
});
const market = (symbolId: string, more: Partial<OrderRequest>): OrderRequest => ({
  symbolId,
  side: 'BUY',
  type: 'MARKET',
  quantity: '1',
  ...more,
});

describe('the app and the practice exchange give the same error code', () => {
  const cases: [string, string, Make][] = [
    ['a contract that is not listed', '700041', () => market('NO-USDT-M', { quantity: '1' })],
    [
      'a missing price',
      '700004',
      async () => {
        const { price: _price, ...rest } = await limit(NEW, '0.99', {});
        return rest;
      },
    ],
    [
      'a missing quantity',
      '700004',
      async () => {
        const { quantity: _quantity, ...rest } = await limit(NEW, '0.99', {});
        return rest;
      },
    ],
    ['a post-only order that would take', '700011', () => limit(HELD, '1.05', { postOnly: true })],
    ['no position to reduce', '700001', () => market(NEW, { reduceOnly: true })],
    ['a size beyond what the leverage allows', '700016', () => limit(HELD, '0.99', { quantity: '45000' })],
    [
      'a new long’s stop beyond its liquidation',
      '700057',
      async () => limit(NEW, '0.99', await stop(NEW, '0.5')),
    ],
    [
      'a new short’s stop beyond its liquidation',
      '700058',
      async () => limit(NEW, '1.01', { side: 'SELL', ...(await stop(NEW, '1.5')) }),
    ],
    [
      'a held long’s stop beyond its liquidation',
      '700081',
      async () => limit(HELD, '0.99', await stop(HELD, '0.5')),
    ],
    [
      'a market order’s take-profit below the mark',
      '700076',
      async () =>
        market(HELD, {
          tpSl: { tpTriggerType: 'MARK_PRICE', tpPrice: await near(HELD, '0.98'), slTriggerType: 'NONE' },
        }),
    ],
    [
      'a market order’s take-profit below the last price',
      '700069',
      async () =>
        market(HELD, {
          tpSl: { tpTriggerType: 'LAST_PRICE', tpPrice: await near(HELD, '0.98'), slTriggerType: 'NONE' },
        }),
    ],
  ];
  it.each(cases)('for %s: %s', async (_name, code, make) => {
    const request = await make();
    expect({ app: await appCode(request), practice: await practiceCode(request) }).toEqual({
      app: code,
      practice: code,
    });
  });
});
