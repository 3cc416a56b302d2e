import type { IntentRecord, JournalDamage } from '../../../src-shared/ipc/orders.ts';
import {
  mayBeSent,
  type OrderCheck,
  warn,
  withNextStep,
  worstFirst,
} from '../../../src-shared/domain/order/check.ts';
import { checkOrder } from '../../../src-shared/domain/order/rules.ts';
import {
  contractOf,
  type DraftField,
  type KnownContract,
  legSideOf,
  type OrderContext,
  type Suggestion,
} from '../../../src-shared/domain/instrument/trading-context.ts';
import { type DraftReading, readDraft, sizeEquivalents } from '../../../src-shared/domain/order/draft.ts';
import { type OrderRisk, orderRisk, riskChecks } from '../../../src-shared/domain/order/risk.ts';
import {
  type OrderPreview,
  type PreviewResult,
  previewOrder,
} from '../../../src-shared/domain/order/preview.ts';
import { isWorse, type MarginGrade } from '../../../src-shared/domain/margin/severity.ts';
import type { SizeMode } from '../../../src-shared/domain/order/size.ts';
import { isOwnPrice, type Reference } from '../../../src-shared/domain/instrument/reference-prices.ts';
import { deviationPercent } from '../../../src-shared/domain/instrument/price-deviation.ts';
import { amount, calculated, greater } from '../../../src-shared/amount.ts';
import { readNumber } from '../../../src-shared/domain/numeric/number-input.ts';
import type { Intents } from '../order/intents.svelte.ts';
import type { Navigation, TicketSeed } from '../session/navigation.svelte.ts';
import { orderContextOf, type TradingContext, triggerTypesOf } from '../order/trading-context.ts';
import { farReferenceText, ownReferenceText } from '../../text/reference-text.ts';
import { reviewQuestion } from '../order/confirmations.ts';
import type { Review, ReviewQuestion } from '../order/review.svelte.ts';
import { TicketFields } from './ticket-fields.svelte.ts';

/** A message at a field of the ticket. */
export interface FieldMessage {
  /** `typing`: not valid yet, said without alarm. */
  readonly tone: 'error' | 'warning' | 'typing';
  readonly text: string;
  readonly suggestion: Suggestion | null;
  /** Of a failed send: it stays until the next review, so it may stand between fields without moving one being typed. */
  readonly sent?: true;
}

export interface TicketDeps extends TradingContext {
  readonly navigation: Navigation;
  readonly intents: Intents;
  readonly review: Review;
}

const NAMES: Partial<Record<DraftField, string>> = {
  symbolId: 'the contract',
  size: 'the size',
  quantity: 'the size',
  price: 'the price',
  tpSl: 'TP/SL',
  tpPrice: 'take profit',
  tpExecutePrice: 'the take-profit order price',
  slPrice: 'stop loss',
  slExecutePrice: 'the stop-loss order price',
  reference: 'the reference price',
  postOnly: 'post-only',
  reduceOnly: 'reduce-only',
  reverseOrder: 'reverse',
  leverage: 'the leverage',
};

/** A number that is not finished yet: `0.`, `0.00`, `12.`. */
const UNFINISHED = /^(?:\d*\.|0?\.?0*)$/;

/** A typed reference further than this from another price is warned about, if the user has set no limit. */
const FAR_PERCENT = '10';

/** State of the ticket: input, the order it makes, its preview and checks. */
export class Ticket {
  readonly #deps: TicketDeps;
  /** Orders sent with an unknown outcome, by intent: the fields, and the size as it was sent. */
  readonly #lost = new Map<string, { readonly fields: TicketFields; readonly size: string }>();
  /** Replaced by a new map on reset, so that nothing derived from it keeps another account's fields. */
  #fields = $state.raw<Map<string, TicketFields>>(new Map());
  /** The focused field: a number that is not finished there is no error yet. */
  editing = $state.raw<DraftField | null>(null);
  /** Review was pressed with a missing or wrong field: its fault is shown from then on. */
  pressed = $state.raw(false);
  referenceText = $state('');
  /** A reference price is being typed in place of the known one. */
  typingReference = $state.raw(false);

  constructor(deps: TicketDeps) {
    this.#deps = deps;
  }

  readonly symbolId: string = $derived.by(() => this.#deps.navigation.symbol ?? '');
  readonly fields: TicketFields = $derived.by(() => this.#fieldsOf(this.symbolId));
  readonly context: OrderContext = $derived.by(() => orderContextOf(this.#deps, this.symbolId));
  readonly contract: KnownContract | null = $derived(
    contractOf(this.symbolId, this.context, legSideOf(this.fields)),
  );
  readonly reference: Reference | null = $derived(this.context.references[0] ?? null);
  readonly isReferenceOld: boolean = $derived.by(
    () =>
      this.reference !== null &&
      this.context.now - this.reference.at > this.context.limits.referenceAgeSeconds * 1000,
  );
  /** The field for a reference price is open: there is no fresh price, or you opened it. */
  readonly needsReference: boolean = $derived(
    this.contract !== null && (this.typingReference || this.reference === null || this.isReferenceOld),
  );
  readonly triggerTypes: readonly string[] = $derived.by(() => triggerTypesOf(this.#deps.session));
  readonly reading: DraftReading = $derived(readDraft(this.fields.draft, this.context));
  readonly preview: PreviewResult | null = $derived(
    this.reading.outline === null ? null : previewOrder(this.reading.outline, this.context),
  );
  readonly equivalents = $derived(sizeEquivalents(this.fields.draft, this.context));
  /** The preview as if a limit order that crosses filled completely at its limit; null for any other order. */
  readonly #atLimit: OrderPreview | null = $derived.by(() => {
    const { outline } = this.reading;
    if (outline === null || this.preview?.ok !== true) return null;
    if (this.preview.preview.crossing?.state !== 'crosses') return null;
    const result = previewOrder(outline, this.context, 'limit');
    return result.ok ? result.preview : null;
  });
  /** A limit order that crosses may fill near the market or at its limit: the worse of the two is graded. */
  readonly risk: OrderRisk | null = $derived.by(() => {
    if (this.preview?.ok !== true) return null;
    return orderRisk(this.#atLimit === null ? [this.preview.preview] : [this.preview.preview, this.#atLimit]);
  });
  /** The grade if all of it filled at the limit, where that is worse than the grade of the figures shown. */
  readonly worseAtLimit: {
    readonly grade: MarginGrade;
    readonly price: string;
    readonly text: string;
  } | null = $derived.by(() => {
    if (this.#atLimit === null || this.preview?.ok !== true) return null;
    const shown = orderRisk([this.preview.preview])?.grade ?? 'healthy';
    const limit = orderRisk([this.#atLimit]);
    const grade = limit?.grade ?? null;
    if (grade === null || !isWorse(grade, shown)) return null;
    const notes = riskChecks(limit).filter((one) => one.state === 'warn');
    return {
      grade,
      price: this.#atLimit.price,
      text: notes.map((one) => one.message).join(' '),
    };
  });
  readonly checks: readonly OrderCheck[] = $derived(
    this.reading.outline === null || this.preview === null
      ? []
      : worstFirst([
          ...checkOrder({ kind: 'order', request: this.reading.outline }, this.context, this.preview),
          ...this.#typedReference(),
          ...riskChecks(this.risk),
        ]),
  );
  readonly heldBy: readonly IntentRecord[] = $derived.by(() =>
    this.#deps.intents.holding(this.symbolId, this.fields.side),
  );
  /** A damaged journal line that may hold an order like this one. */
  readonly damage: JournalDamage | null = $derived.by(() =>
    this.#deps.intents.damageHolding(this.symbolId, this.fields.side),
  );

  /** Why Review is disabled; null when it is enabled. Holds are separate: they can be released. */
  readonly missing: string | null = $derived.by(() => {
    const off = this.#deps.sendingOff;
    if (off !== null) return off;
    const { faults } = this.reading;
    const wrong = faults.find((fault) => !fault.missing);
    if (wrong) return `Fix ${NAMES[wrong.field] ?? 'the order'} to continue`;
    const absent = faults[0];
    if (absent) return askFor(absent.field);
    const failed = this.checks.find((check) => check.state === 'fail');
    if (failed?.field === 'account') return 'A daily limit is reached';
    // It is absent or too old: nothing typed is wrong.
    if (failed?.field === 'reference') return askFor('reference');
    return failed ? `Fix ${NAMES[failed.field] ?? 'the order'} to continue` : null;
  });
  /** The field that `missing` is about; null when it is not about one. */
  readonly missingAt: DraftField | null = $derived.by(() => {
    if (this.#deps.sendingOff !== null) return null;
    const { faults } = this.reading;
    const first = faults.find((fault) => !fault.missing) ?? faults[0];
    return (first ?? this.checks.find((check) => check.state === 'fail'))?.field ?? null;
  });
  readonly ready: boolean = $derived(this.missing === null && mayBeSent(this.checks));

  /** Warns of a typed reference that says little: the order's own price, or one far from another price that is known. */
  #typedReference(): OrderCheck[] {
    const { references, limits, now } = this.context;
    const [typed, other] = references;
    if (typed?.source !== 'typed') return [];
    const limit = limits.priceDeviationPercent;
    const price = this.reading.outline?.price;
    const found: OrderCheck[] = [];
    if (limit !== null && price !== undefined && isOwnPrice(typed, price))
      found.push(warn({ id: 'own-reference', code: null, field: 'price' }, ownReferenceText(price, limit)));
    if (other === undefined) return found;
    const apart = calculated(deviationPercent(typed.price, other.price));
    if (greater(apart, amount(limit ?? FAR_PERCENT)))
      found.push(
        warn({ id: 'far-reference', code: null, field: 'reference' }, farReferenceText(typed, other, now)),
      );
    return found;
  }

  /** Returns what is wrong with a field's text, which neither the checks nor a failed send say. */
  faultAt(...fields: readonly DraftField[]): FieldMessage | null {
    const fault = this.reading.faults.find(
      (one) => fields.includes(one.field) && (this.pressed || !one.missing),
    );
    if (fault === undefined) return null;
    if (this.#isTyping(fault.field)) return { tone: 'typing', text: fault.message, suggestion: null };
    return { tone: 'error', text: fault.message, suggestion: fault.suggestion ?? null };
  }

  /** Returns the message at a field, the most severe first: a fault, a failed check, a failed send, a warning. */
  messageAt(...fields: readonly DraftField[]): FieldMessage | null {
    const fault = this.faultAt(...fields);
    if (fault) return fault;
    const here = (field: DraftField): boolean => fields.includes(field);
    const failed = this.checks.find((one) => here(one.field) && one.state === 'fail');
    if (failed) return { tone: 'error', text: withNextStep(failed), suggestion: failed.suggestion ?? null };
    const failure = this.fields.failed?.failure;
    if (failure?.field !== undefined && fields.some((field) => field === failure.field)) {
      return { tone: 'error', text: withNextStep(failure), suggestion: null, sent: true };
    }
    const warning = this.checks.find((one) => here(one.field) && one.state === 'warn');
    return warning
      ? { tone: 'warning', text: warning.message, suggestion: warning.suggestion ?? null }
      : null;
  }

  /** Reports whether the field has a number that may still become valid. */
  #isTyping(field: DraftField): boolean {
    return !this.pressed && this.editing === field && UNFINISHED.test(this.fields.textOf(field) ?? 'x');
  }

  /** Sets the user's reference price, valid for 60 s. Returns the fault, or null. */
  typeReference(): string | null {
    const read = readNumber('Reference price', this.referenceText);
    if (!read.ok) return read.message;
    this.#deps.specs.setPrice(this.symbolId, read.text);
    this.referenceText = '';
    return null;
  }

  /** Switches the size unit and converts the value. */
  sizeBy(mode: SizeMode): void {
    this.fields.sizeBy(mode, this.context);
  }

  choose(symbolId: string): void {
    this.#deps.navigation.symbol = symbolId;
  }

  /** Fills in the values another screen passed. */
  fill(seed: TicketSeed): void {
    const fields = this.#fieldsOf(seed.symbolId);
    if (seed.side !== undefined) fields.side = seed.side;
    if (seed.type !== undefined) fields.type = seed.type;
    if (seed.price !== undefined) fields.price = seed.price;
    if (seed.reduceOnly !== undefined) fields.reduceOnly = seed.reduceOnly;
    if (seed.reverseOrder !== undefined) fields.reverses();
    else if (seed.side !== undefined) fields.reverseOrder = false;
    if (seed.quantity === undefined) return;
    fields.sizeMode = 'quantity';
    fields.size = seed.quantity;
  }

  /** Clears the draft on a connection switch: it must not be sent on another account. */
  reset(): void {
    this.#fields = new Map();
    this.#lost.clear();
    this.referenceText = '';
    this.typingReference = false;
    this.pressed = false;
    this.editing = null;
  }

  /** Opens the review sheet. What the main process blocks is shown at its field. */
  async submit(): Promise<void> {
    this.pressed = true;
    const question = this.#question();
    if (question === null) return;
    const { fields } = this;
    fields.failed = null;
    const failure = await this.#deps.review.ask(question);
    if (failure) fields.failed = { failure, by: 'ballast', at: this.#deps.clock.time.now() };
    this.pressed = false;
  }

  #question(): ReviewQuestion | null {
    const { request } = this.reading;
    const connectionId = this.#deps.session.activeId;
    if (request === null || connectionId === null || !this.ready) return null;
    const { fields } = this;
    return reviewQuestion({
      intent: { connectionId, kind: 'order', request, reference: this.reference },
      preview: this.preview?.ok ? this.preview.preview : null,
      checks: this.checks,
      rejectionShownIn: 'ticket',
      again: () => this.#question(),
      onOutcome: (record) => this.#onOutcome(fields, record),
    });
  }

  /**
   * Clears a draft once its unknown outcome is matched or dismissed: the order may have been placed, so it must not be
   * one key from being sent again.
   */
  resolve(record: IntentRecord): void {
    const waiting = this.#lost.get(record.id);
    if (waiting === undefined || record.state === 'unknown') return;
    this.#lost.delete(record.id);
    if (waiting.fields.size === waiting.size) waiting.fields.clearSent();
  }

  #onOutcome(fields: TicketFields, record: IntentRecord): void {
    if (record.state === 'accepted') {
      fields.clearSent();
      return;
    }
    if (record.state === 'unknown') this.#lost.set(record.id, { fields, size: fields.size });
    const failure = record.events.at(-1)?.failure;
    if (record.state === 'rejected' && failure) {
      fields.failed = { failure, by: 'exchange', at: record.events.at(-1)?.at ?? record.createdAt };
    }
  }

  #fieldsOf(symbolId: string): TicketFields {
    const known = this.#fields.get(symbolId);
    if (known) return known;
    const fresh = new TicketFields(symbolId);
    this.#fields.set(symbolId, fresh);
    return fresh;
  }
}

function askFor(field: DraftField): string {
  switch (field) {
    case 'symbolId':
      return 'Choose a contract';
    case 'price':
      return 'Enter a price';
    case 'tpSl':
      return 'Enter take profit or stop loss';
    case 'slPrice':
      return 'Enter a stop loss';
    case 'reference':
      return 'Enter a reference price';
    default:
      return 'Enter a size';
  }
}
