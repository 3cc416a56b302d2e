import type { Failure } from '../../../src-shared/ipc/failures.ts';
import { positionKey } from '../../../src-shared/domain/position/identity.ts';
import type { Position } from '../../../src-shared/exchange-api/account.ts';
import { fail, mayBeSent, type OrderCheck, withNextStep } from '../../../src-shared/domain/order/check.ts';
import { checkOrder } from '../../../src-shared/domain/order/rules.ts';
import {
  contractOf,
  type DraftField,
  type KnownContract,
  type OrderContext,
} from '../../../src-shared/domain/instrument/trading-context.ts';
import { isLongOrShort, opposite } from '../../../src-shared/exchange-api/enums.ts';
import { type DraftReading, EMPTY_DRAFT, readDraft } from '../../../src-shared/domain/order/draft.ts';
import { type OrderPreview, previewOrder } from '../../../src-shared/domain/order/preview.ts';
import type { Batch } from '../batch/batch.svelte.ts';
import { orderContextOf, type TradingContext } from '../order/trading-context.ts';
import { closeReading, unknownSideText } from './close-reading.ts';
import { reviewQuestion } from '../order/confirmations.ts';
import type { Review, ReviewQuestion } from '../order/review.svelte.ts';

/** Close all or part at market, at a limit price, or by a reduce-only take-profit limit. */
export type CloseMode = 'all' | 'part' | 'limit' | 'take-profit';

export interface CloseDeps extends TradingContext {
  readonly review: Review;
  readonly batch: Batch;
}

const firstShare = (mode: CloseMode): string => (mode === 'part' ? '50' : '100');

/** State of the close sheet: input, the order it makes, and its review. */
export class ClosePosition {
  readonly #deps: CloseDeps;
  #key = $state.raw<string | null>(null);
  mode = $state<CloseMode>('all');
  sizeMode = $state<'quantity' | 'share'>('share');
  #size = $state('50');
  /** Whether the size was typed or chosen: until then each way to close begins with its own share. */
  #sized = false;
  price = $state('');
  failure = $state.raw<Failure | null>(null);

  constructor(deps: CloseDeps) {
    this.#deps = deps;
  }

  get size(): string {
    return this.#size;
  }
  set size(size: string) {
    this.#size = size;
    this.#sized = true;
  }

  /** The current position; null when none is being closed or it no longer exists. */
  readonly position: Position | null = $derived.by(
    () => this.#deps.feeds.positions.find((one) => positionKey(one) === this.#key) ?? null,
  );
  readonly open: boolean = $derived.by(() => this.#key !== null && !this.#deps.review.shown);
  readonly context: OrderContext = $derived.by(() =>
    orderContextOf(this.#deps, this.position?.symbolId ?? ''),
  );
  readonly contract: KnownContract | null = $derived(contractOf(this.position?.symbolId ?? '', this.context));

  readonly reading: Omit<DraftReading, 'outline'> = $derived.by(() => {
    const { position } = this;
    if (position === null || !isLongOrShort(position.side)) return { request: null, size: null, faults: [] };
    const side = opposite(position.side);
    if (this.mode === 'all') return closeReading(position, position.side, '100', this.context);
    return readDraft(
      {
        ...EMPTY_DRAFT,
        symbolId: position.symbolId,
        side,
        type: this.mode === 'part' ? 'MARKET' : 'LIMIT',
        sizeMode: this.sizeMode,
        size: this.size,
        price: this.price,
        reduceOnly: true,
      },
      this.context,
    );
  });

  readonly preview: OrderPreview | null = $derived.by(() => {
    if (this.reading.request === null) return null;
    const result = previewOrder(this.reading.request, this.context);
    return result.ok ? result.preview : null;
  });

  readonly #kind: 'order' | 'close-all' = $derived(this.mode === 'all' ? 'close-all' : 'order');

  readonly checks: readonly OrderCheck[] = $derived.by(() => {
    const { position } = this;
    const { request } = this.reading;
    if (position === null) {
      return [fail({ id: 'gone', code: '700001', field: 'symbolId' }, 'This position is already closed.')];
    }
    if (!isLongOrShort(position.side)) {
      return [fail({ id: 'side', code: null, field: 'symbolId' }, unknownSideText(position.side))];
    }
    if (request === null) return [];
    return checkOrder({ kind: this.#kind, request, takesProfit: this.mode === 'take-profit' }, this.context);
  });
  readonly crossing: OrderCheck | null = $derived(this.checks.find((one) => one.id === 'crossing') ?? null);

  readonly ready: boolean = $derived.by(
    () => this.#deps.sendingOff === null && this.reading.request !== null && mayBeSent(this.checks),
  );

  /** Why Review is disabled; null when it is enabled. */
  readonly missing: string | null = $derived.by(() => {
    if (this.#deps.sendingOff !== null) return this.#deps.sendingOff;
    const absent = this.reading.faults.find((one) => one.missing);
    if (absent) return absent.field === 'price' ? 'Enter a price' : 'Enter a size';
    return this.ready ? null : 'Fix the order to continue';
  });

  /** Returns the fault or failed check of a field. A missing value is no fault. */
  wrongAt(field: DraftField): string | null {
    const fault = this.reading.faults.find((one) => one.field === field && !one.missing);
    if (fault !== undefined) return fault.message;
    const failed = this.checks.find((one) => one.field === field && one.state === 'fail');
    return failed === undefined ? null : withNextStep(failed);
  }

  /** Opens the sheet for a position. */
  start(position: Position, mode: CloseMode = 'all', percent?: string): void {
    // One that the ticket or the batch requested would open over it.
    this.#deps.review.close();
    this.#deps.batch.confirm.close();
    this.#key = positionKey(position);
    this.mode = mode;
    this.sizeMode = 'share';
    this.size = percent ?? firstShare(mode);
    this.#sized = percent !== undefined;
    this.price = '';
    this.failure = null;
  }

  /** Changes how to close. The size stays as typed; coming from All, which shows none, it starts anew. */
  choose(mode: CloseMode): void {
    if (this.mode === 'all' && this.sizeMode === 'share') this.#sized = false;
    if (!this.#sized) this.#size = firstShare(mode);
    this.mode = mode;
    this.failure = null;
  }

  /** Sizes by a share of the position, in percent. */
  sizeByShare(percent: string): void {
    this.sizeMode = 'share';
    this.size = percent;
  }
  /** Sizes by quantity: the one the share gave, so that the order stays the same. */
  sizeByQuantity(): void {
    const quantity = this.reading.size?.quantity ?? '';
    this.sizeMode = 'quantity';
    this.size = quantity;
  }

  cancel(): void {
    // A review that is being requested is not wanted any more; one that is open has a sheet of its own.
    if (this.open) this.#deps.review.close();
    this.#key = null;
    this.failure = null;
  }

  async submit(): Promise<void> {
    const question = this.#question();
    if (question === null) return;
    const key = this.#key;
    const failure = await this.#deps.review.ask(question);
    if (key === this.#key) this.failure = failure;
  }

  #question(): ReviewQuestion | null {
    const { request } = this.reading;
    const connectionId = this.#deps.session.activeId;
    if (request === null || connectionId === null || !this.ready) return null;
    return reviewQuestion({
      intent: { connectionId, kind: this.#kind, request, reference: this.context.references[0] ?? null },
      preview: this.preview,
      checks: this.checks,
      rejectionShownIn: 'sheet',
      again: () => this.#question(),
      onOutcome: () => this.cancel(),
    });
  }
}
