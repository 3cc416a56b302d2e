/**
 * Stores the user's webhooks and sends alerts to those that are set to get them. Addresses and tokens are in the vault.
 * No reply of a server has an effect beyond the message's outcome.
 */
import type { SecretInput } from '../../src-shared/ipc/connections.ts';
import { blocked, done, type Result } from '../../src-shared/ipc/failures.ts';
import {
  webhookSecretFault,
  webhookSettingsFault,
  type MessageOutcome,
  type WebhookFault,
  type WebhookSecret,
  type WebhookSettings,
  type WebhookSummary,
} from '../../src-shared/ipc/webhooks.ts';
import { SerialQueue } from '../../src-shared/serial-queue.ts';
import type { Vault } from '../vault/vault.ts';
import { Deliveries, type DeliveryPorts, type Webhook } from './deliveries.ts';
import type { Message } from './requests.ts';
import type { StoredWebhooks } from './stored.ts';

export interface WebhookPorts extends Omit<DeliveryPorts, 'webhook' | 'secret'> {
  readonly file: { read(): Promise<StoredWebhooks>; write(value: StoredWebhooks): Promise<void> };
  readonly secrets: Pick<Vault, 'read' | 'write' | 'forget'>;
  readonly newId: () => string;
}

const MAX_WEBHOOKS = 20;
/** Largest reply that is received; only its status is read. */
export const MAX_WEBHOOK_REPLY_BYTES = 64 * 1024;

export class Webhooks {
  readonly #ports: WebhookPorts;
  readonly #deliveries: Deliveries;
  /** Runs one change at a time: each has several steps. */
  readonly #changes = new SerialQueue();
  #stored: readonly Webhook[];

  private constructor(ports: WebhookPorts, stored: readonly Webhook[]) {
    this.#ports = ports;
    this.#stored = stored;
    this.#deliveries = new Deliveries({
      ...ports,
      webhook: (id) => this.#find(id),
      secret: async (id) => (await ports.secrets.read(id)).secret,
    });
  }

  static async open(ports: WebhookPorts): Promise<Webhooks> {
    return new Webhooks(ports, (await ports.file.read()).webhooks);
  }

  ids(): readonly string[] {
    return this.#stored.map((one) => one.id);
  }

  list(): Promise<Result<readonly WebhookSummary[]>> {
    return this.#changes.run(() => this.#list());
  }

  add(settings: WebhookSettings, secret: WebhookSecret): Promise<Result<readonly WebhookSummary[]>> {
    return this.#changes.run(async () => {
      const fault = webhookSettingsFault(settings) ?? webhookSecretFault(settings.service, secret);
      if (fault !== null) return notValid(fault);
      if (this.#stored.length >= MAX_WEBHOOKS)
        return blocked(`There are ${MAX_WEBHOOKS} webhooks already.`, 'Remove one first.');
      const id = `webhook-${this.#ports.newId()}`.slice(0, 48);
      const written = await this.#ports.secrets.write(id, itemOf(secret));
      if (!written.ok) return written;
      try {
        await this.#save([...this.#stored, { id, settings }]);
      } catch (error) {
        await this.#ports.secrets.forget(id);
        throw error;
      }
      return this.#list();
    });
  }

  change(
    id: string,
    settings: WebhookSettings,
    secret: WebhookSecret | null,
  ): Promise<Result<readonly WebhookSummary[]>> {
    return this.#changes.run(async () => {
      const one = this.#find(id);
      if (one === null) return unknown();
      const { service } = one.settings;
      const fault =
        webhookSettingsFault({ ...settings, service }) ??
        (secret === null ? null : webhookSecretFault(service, secret));
      if (fault !== null) return notValid(fault);
      if (secret !== null) {
        const written = await this.#ports.secrets.write(id, itemOf(secret));
        if (!written.ok) return written;
      }
      await this.#save(
        this.#stored.map((other) => (other.id === id ? { id, settings: { ...settings, service } } : other)),
      );
      return this.#list();
    });
  }

  /** Removes the secret first: without the webhook no one would know whose it is. */
  remove(id: string, leaveSecret: boolean): Promise<Result<readonly WebhookSummary[]>> {
    return this.#changes.run(async () => {
      if (this.#find(id) === null) return unknown();
      const forgotten = await this.#ports.secrets.forget(id);
      if (!forgotten.ok && !leaveSecret) return forgotten;
      await this.#save(this.#stored.filter((one) => one.id !== id));
      return this.#list();
    });
  }

  async test(id: string): Promise<Result<MessageOutcome>> {
    const one = this.#find(id);
    if (one === null) return unknown();
    return done(
      await this.#deliveries.once(one, {
        id: this.#ports.newId(),
        rule: null,
        critical: false,
        at: this.#ports.clock.now(),
        account: 'Ballast',
        title: 'test message',
        text: 'Alerts will arrive here.',
      }),
    );
  }

  /** Sends an alert to every webhook that is set to get it; in quiet hours only a critical one. */
  deliver(message: Message, quiet: boolean, changed: (outcome: MessageOutcome) => void): void {
    for (const one of this.#stored) {
      const { on, alerts } = one.settings;
      if (!on || (!message.critical && (quiet || alerts === 'critical'))) continue;
      this.#deliveries.deliver(one, message, changed);
    }
  }

  #find(id: string): Webhook | null {
    return this.#stored.find((one) => one.id === id) ?? null;
  }
  async #save(webhooks: readonly Webhook[]): Promise<void> {
    await this.#ports.file.write({ version: 1, webhooks: [...webhooks] });
    this.#stored = webhooks;
  }
  async #list(): Promise<Result<readonly WebhookSummary[]>> {
    const summaries: WebhookSummary[] = [];
    for (const one of this.#stored)
      summaries.push({ ...one, secret: (await this.#ports.secrets.read(one.id)).state });
    return done(summaries);
  }
}

const itemOf = ({ address, authorization }: WebhookSecret): SecretInput => ({
  secret: address,
  headers: authorization === '' ? {} : { authorization },
});

const notValid = ({ field, message }: WebhookFault) =>
  blocked(`The ${field} must be ${message}.`, 'Correct it, then save again.', field);
const unknown = () => blocked('This webhook was removed.', 'Open Settings › When away again.', 'id');
