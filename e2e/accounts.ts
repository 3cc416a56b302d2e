/** Starts the app with a scripted exchange that serves one account: large, empty, or the samples. */
import {
  largeAccount,
  largeContracts,
  largeOrders,
  emptyAccount,
  type AccountSize,
} from './large-account.ts';
import { launch, type Ballast } from './fixture.ts';
import type { ScriptedExchange } from './scripted-exchange.ts';

export const LARGE_ACCOUNT: AccountSize = { contracts: 400, positions: 200, orders: 1000 };

/** `moving`: every read of the account has other marks; otherwise all reads are equal. */
export function serveLargeAccount(exchange: ScriptedExchange, moving: boolean): void {
  let step = 0;
  const still = largeAccount(exchange.reply, LARGE_ACCOUNT);
  exchange.answer('account', moving ? () => largeAccount(exchange.reply, LARGE_ACCOUNT, step++) : still);
  exchange.answer('openOrders', largeOrders(exchange.reply, LARGE_ACCOUNT));
  exchange.answer('symbolConfig', largeContracts(exchange.reply, LARGE_ACCOUNT));
}

export function serveEmpty(exchange: ScriptedExchange): void {
  for (const [endpoint, text] of Object.entries(emptyAccount(exchange.reply)))
    exchange.answer(endpoint as keyof ReturnType<typeof emptyAccount>, text);
}

export const beside = (
  exchange: ScriptedExchange,
  profile: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ballast> =>
  launch(profile, null, {
    BALLAST_PRACTICE: JSON.stringify({ url: exchange.url, key: 'key', secret: 'secret' }),
    ...env,
  });
