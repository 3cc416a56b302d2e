/** The practice exchange's controls: what is typed, what the exchange stands at, what a change came to. */
import type { Calls } from '../bridge.ts';
import { amount, divide, isPositive, print, subtract, add } from '../../src-shared/amount.ts';
import type { Failure } from '../../src-shared/contract/failures.ts';
import type {
  FaultAction,
  FaultEndpoint,
  PracticeChange,
  PracticeState,
} from '../../src-shared/contract/practice.ts';
import { readNumber } from '../../src-shared/domain/typed-number.ts';

const HUNDRED = amount('100');
const ONE = amount('1');

/** What the price is multiplied by for a move of `percent`: `−10` → `0.9`; null where nothing would be left. */
export function shareOf(percent: string): string | null {
  const text = percent.trim().replace('−', '-');
  const down = text.startsWith('-');
  const read = readNumber('Move', down ? text.slice(1) : text.replace(/^\+/, ''));
  if (!read.ok) return null;
  const part = divide(amount(read.text), HUNDRED);
  const share = down ? subtract(ONE, part) : add(ONE, part);
  return isPositive(share) ? print(share) : null;
}

export class PracticeControls {
  state = $state.raw<PracticeState | null>(null);
  failure = $state.raw<Failure | null>(null);
  busy = $state(false);

  symbolId = $state('');
  percent = $state('-10');
  endpoint = $state<FaultEndpoint>('order');
  action = $state<FaultAction>('reset');
  nth = $state('1');
  accept = $state(true);
  coin = $state('USDT');
  amount = $state('1000');
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  readonly share: string | null = $derived(shareOf(this.percent));

  async load(): Promise<void> {
    const answer = await this.#calls.call('practice.state', undefined);
    if (!answer.ok) {
      this.failure = answer.failure;
      return;
    }
    this.state = answer.data;
    if (this.symbolId === '') this.symbolId = answer.data.contracts[0]?.symbolId ?? '';
  }

  /** True when it was done; the failure stays to be read otherwise. */
  async change(change: PracticeChange): Promise<boolean> {
    this.busy = true;
    this.failure = null;
    const answer = await this.#calls.call('practice.change', change);
    this.busy = false;
    if (answer.ok) this.state = answer.data;
    else this.failure = answer.failure;
    return answer.ok;
  }
}
