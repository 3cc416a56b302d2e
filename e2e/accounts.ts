/** The app beside a scripted exchange that serves one account of the states: crowded, empty, the samples. */
import {
  crowdedAccount,
  crowdedContracts,
  crowdedOrders,
  emptyAccount,
  type CrowdSize,
} from './large-account.ts';
import { launch, type Ballast } from './fixture.ts';
import type { ScriptedExchange } from './scripted-exchange.ts';

export const CROWD: CrowdSize = { contracts: 400, positions: 200, orders: 1000 };

/** `moving`: every read of the account has other marks; else all reads are the same. */
export function serveCrowd(exchange: ScriptedExchange, moving: boolean): void {
  let step = 0;
  const still = crowdedAccount(exchange.reply, CROWD);
  exchange.answer('account', moving ? () => crowdedAccount(exchange.reply, CROWD, step++) : still);
  exchange.answer('openOrders', crowdedOrders(exchange.reply, CROWD));
  exchange.answer('symbolConfig', crowdedContracts(exchange.reply, CROWD));
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
