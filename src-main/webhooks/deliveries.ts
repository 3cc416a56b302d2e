/**
 * Sends messages to webhooks: one request per webhook at a time, retried with growing waits. The secret is read for each
 * attempt and not kept.
 */
import type { SecretInput } from '../../src-shared/ipc/connections.ts';
import type { MessageOutcome, WebhookSettings } from '../../src-shared/ipc/webhooks.ts';
import { SerialQueue } from '../../src-shared/serial-queue.ts';
import { HOUR_MS, type Clock, type Timers } from '../../src-shared/time.ts';
import { withoutAmounts } from '../../src-shared/domain/display/privacy-mask.ts';
import type { Transport } from '../exchange/transport.ts';
import { secretForms } from '../exchange/secret-forms.ts';
import { requestOf, type Message } from './requests.ts';
import { final, temporary, verdictOf, type Verdict } from './verdict.ts';

export interface Webhook {
  readonly id: string;
  readonly settings: WebhookSettings;
}

export interface DeliveryPorts {
  /** Returns the webhook as it is now, or null if it was removed. */
  readonly webhook: (id: string) => Webhook | null;
  readonly secret: (id: string) => Promise<SecretInput | null>;
  readonly send: Transport['send'];
  /** Masks the given texts in the log until the returned function is called. */
  readonly redact: (secrets: readonly string[]) => () => void;
  readonly clock: Clock;
  readonly timers: Timers;
}

/** Waits before the second and later attempts; after the last of them the message has failed. */
export const RETRY_AFTER_MS = [10_000, 60_000, 300_000, 900_000] as const;
/** A server that asks for longer gets no further attempt. */
const MAX_WAIT_MS = HOUR_MS;
/** Messages of one webhook that may wait; more would arrive too late to be of use. */
const MAX_WAITING = 20;

const NO_SECRET = temporary(
  'Its address or token is not available: the keychain is locked, or the entry was removed.',
);
const NOT_VALID = final('Its address or token is not valid. Enter it again.');
const REMOVED = final('The webhook was removed.');
const SWITCHED_OFF = final('The webhook was switched off.');

export class Deliveries {
  readonly #ports: DeliveryPorts;
  readonly #queues = new Map<string, SerialQueue>();
  readonly #waiting = new Map<string, number>();

  constructor(ports: DeliveryPorts) {
    this.#ports = ports;
  }

  /** Sends once, also where it is switched off, and returns the outcome. */
  async once(webhook: Webhook, message: Message): Promise<MessageOutcome> {
    const verdict = await this.#attempt(webhook.id, () => true, message);
    return verdict.delivered
      ? this.#outcome(webhook, 'delivered')
      : this.#outcome(webhook, 'failed', verdict.why);
  }

  /** Sends with retries. `changed` is called with each outcome, first at once. */
  deliver(webhook: Webhook, message: Message, changed: (outcome: MessageOutcome) => void): void {
    const { id } = webhook;
    const waiting = this.#waiting.get(id) ?? 0;
    if (waiting >= MAX_WAITING) {
      changed(this.#outcome(webhook, 'failed', `${MAX_WAITING} earlier messages are still waiting.`));
      return;
    }
    this.#waiting.set(id, waiting + 1);
    changed(this.#outcome(webhook, 'sending'));
    void this.#try(webhook, message, 0, (outcome) => {
      if (outcome.state !== 'retrying') this.#waiting.set(id, (this.#waiting.get(id) ?? 1) - 1);
      changed(outcome);
    });
  }

  async #try(
    webhook: Webhook,
    message: Message,
    attempt: number,
    changed: (outcome: MessageOutcome) => void,
  ): Promise<void> {
    const verdict = await this.#attempt(webhook.id, ({ on }) => on, message);
    const now = this.#ports.webhook(webhook.id) ?? webhook;
    if (verdict.delivered) {
      changed(this.#outcome(now, 'delivered'));
      return;
    }
    const wait = RETRY_AFTER_MS[attempt];
    const last = wait === undefined || verdict.retryAfterMs > MAX_WAIT_MS;
    if (!verdict.retryable || last) {
      changed(this.#outcome(now, 'failed', verdict.why));
      return;
    }
    changed(this.#outcome(now, 'retrying', verdict.why));
    this.#ports.timers.after(
      Math.max(wait, verdict.retryAfterMs),
      () => void this.#try(now, message, attempt + 1, changed),
    );
  }

  #attempt(id: string, isWanted: (settings: WebhookSettings) => boolean, message: Message): Promise<Verdict> {
    const queue = this.#queues.get(id) ?? new SerialQueue();
    this.#queues.set(id, queue);
    return queue.run(async () => {
      const before = this.#usable(id, isWanted);
      if (!('settings' in before)) return before;
      const stored = await this.#ports.secret(id);
      // As it is now: the user may have turned it or its amounts off while the keychain was slow.
      const now = this.#usable(id, isWanted);
      if (!('settings' in now)) return now;
      return stored === null ? NO_SECRET : this.#send(now, stored, message);
    });
  }

  /** Returns the webhook as it is, or why nothing is sent to it. */
  #usable(id: string, isWanted: (settings: WebhookSettings) => boolean): Webhook | Verdict {
    const webhook = this.#ports.webhook(id);
    if (webhook === null) return REMOVED;
    return isWanted(webhook.settings) ? webhook : SWITCHED_OFF;
  }

  async #send({ settings }: Webhook, stored: SecretInput, message: Message): Promise<Verdict> {
    const secret = { address: stored.secret, authorization: stored.headers.authorization ?? '' };
    const shown = settings.amounts ? message : maskedMessage(message);
    const request = requestOf(settings, secret, shown, this.#ports.clock.now());
    if (request === null) return NOT_VALID;
    const unmask = this.#ports.redact(Object.values(secret).flatMap(secretForms));
    try {
      return verdictOf(await this.#ports.send(request));
    } finally {
      unmask();
    }
  }

  #outcome({ id, settings }: Webhook, state: MessageOutcome['state'], why = ''): MessageOutcome {
    return { webhookId: id, name: settings.name, state, why, at: this.#ports.clock.now() };
  }
}

const maskedMessage = (message: Message): Message => ({
  ...message,
  title: withoutAmounts(message.title),
  text: withoutAmounts(message.text),
});
