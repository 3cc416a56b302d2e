/** State of the practice controls: input, the exchange's state and the result of a change. */
import { amount, divide, isPositive, ONE, print, subtract, add } from '../../../src-shared/amount.ts';
import type { Failure } from '../../../src-shared/ipc/failures.ts';
import type {
  FaultAction,
  FaultEndpoint,
  PracticeBalance,
  PracticeChange,
  PracticeOrder,
  PracticeState,
} from '../../../src-shared/ipc/practice.ts';
import { MainState } from '../../state/settings/main-state.svelte.ts';
import { readNumber } from '../../../src-shared/domain/numeric/number-input.ts';

const HUNDRED = amount('100');

/** Returns the factor for a price move of `percent`: `−10` → `0.9`; null where the price would not stay above 0. */
export function priceFactor(percent: string): string | null {
  const text = percent.trim().replace('−', '-');
  const down = text.startsWith('-');
  const read = readNumber('Move', down ? text.slice(1) : text.replace(/^\+/, ''));
  if (!read.ok) return null;
  const part = divide(amount(read.text), HUNDRED);
  const share = down ? subtract(ONE, part) : add(ONE, part);
  return isPositive(share) ? print(share) : null;
}

/** How long a reply is delayed, and how long new rows stay unlisted. */
const FAULT_MS: Readonly<Partial<Record<FaultAction, number>>> = {
  delay: 5_000,
  'delayed-visibility': 60_000,
};

/** Amounts are credited in atoms of 1e-8. */
function grantFaultOf(text: string): string | null {
  const read = readNumber('Amount', text);
  if (!read.ok) return read.message;
  return (read.text.split('.')[1] ?? '').length > 8 ? 'At most 8 decimals' : null;
}

export class PracticeControls extends MainState<PracticeState> {
  busy = $state(false);
  /** Why the last poll that failed did. */
  #unread: Failure | null = null;

  symbolId = $state('');
  percent = $state('-10');
  endpoint = $state<FaultEndpoint>('order');
  action = $state<FaultAction>('reset');
  nth = $state('1');
  accept = $state(true);
  coin = $state('USDT');
  amount = $state('1000');

  /** What the last grant did to its coin's balance. */
  granted = $state.raw<{ coin: string; before: string; after: string } | null>(null);

  readonly share: string | null = $derived(priceFactor(this.percent));
  readonly balances: readonly PracticeBalance[] = $derived(this.state?.balances ?? []);
  readonly resting: readonly PracticeOrder[] = $derived(this.state?.resting ?? []);
  /** Why the amount can't be granted. */
  readonly grantFault: string | null = $derived(grantFaultOf(this.amount));

  async load(): Promise<void> {
    const result = await this.calls.call('practice.state', undefined);
    if (!result.ok) {
      this.failure = this.#unread = result.failure;
      return;
    }
    // That of a change stays until the next one.
    if (this.failure === this.#unread) this.failure = null;
    this.state = result.data;
    if (this.symbolId === '') this.symbolId = result.data.contracts[0]?.symbolId ?? '';
  }

  addFault(): Promise<boolean> {
    const { endpoint, action, accept } = this;
    const ms = FAULT_MS[action];
    const nth = parseInt(this.nth, 10);
    const rule = { do: 'fault', endpoint, action, nth, times: 1, accept } as const;
    return this.change(ms === undefined ? rule : { ...rule, ms });
  }

  async grant(): Promise<void> {
    const { coin } = this;
    const before = this.#balanceOf(coin);
    const read = readNumber('Amount', this.amount);
    if (!read.ok || !(await this.change({ do: 'grant', coin, amount: read.text }))) return;
    this.granted = { coin, before, after: this.#balanceOf(coin) };
  }

  #balanceOf(coin: string): string {
    return this.balances.find((row) => row.coin === coin)?.balance ?? '0';
  }

  /** Changes the practice exchange and returns whether it was done; `failure` says why not. */
  async change(change: PracticeChange): Promise<boolean> {
    this.busy = true;
    this.failure = null;
    const result = await this.calls.call('practice.change', change);
    this.busy = false;
    if (result.ok) this.state = result.data;
    else this.failure = result.failure;
    return result.ok;
  }
}
