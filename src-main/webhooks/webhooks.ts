/**
 * Stores the user's webhooks and sends alerts to those that are set to get them. Addresses and tokens are in the vault.
 * No reply of a server has an effect beyond the message's outcome.
 */
import type { SecretInput, SecretState } from '../../src-shared/ipc/connections.ts';
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
import { inTime } from '../vault/in-time.ts';
import type { Vault } from '../vault/vault.ts';
import { Deliveries, type DeliveryPorts, type Webhook } from './deliveries.ts';
import type { Message } from './requests.ts';
import type { StoredWebhooks } from './stored.ts';

export interface WebhookPorts extends Omit<DeliveryPorts, 'webhook' | 'secret'> {
  readonly file: { read(): Promise<StoredWebhooks>; write(value: StoredWebhooks): Promise<void> };
  readonly secrets: Pick<Vault, 'read' | 'write' | 'forget' | 'withhold'>;
  readonly newId: () => string;
  /** Called when the keychain has shown what `list` did not wait for. */
  readonly changed: (webhooks: readonly WebhookSummary[]) => void;
}

const MAX_WEBHOOKS = 20;
/** Largest reply that is received; only its status is read. */
export const MAX_WEBHOOK_REPLY_BYTES = 64 * 1024;

export class Webhooks {
  readonly #ports: WebhookPorts;
  readonly #deliveries: Deliveries;
  /** Saves one change at a time: each starts from the list the previous one left. */
  readonly #changes = new SerialQueue();
  readonly #secretStates = new Map<string, SecretState>();
  #stored: readonly Webhook[];

  private constructor(ports: WebhookPorts, stored: readonly Webhook[]) {
    this.#ports = ports;
    this.#stored = stored;
    this.#deliveries = new Deliveries({
      ...ports,
      webhook: (id) => this.#find(id),
      secret: async (id) => (await ports.secrets.read(id, null)).secret,
    });
  }

  static async open(ports: WebhookPorts): Promise<Webhooks> {
    return new Webhooks(ports, (await ports.file.read()).webhooks);
  }

  ids(): readonly string[] {
    return this.#stored.map((one) => one.id);
  }

  /** Returns all webhooks. A secret that the keychain has not shown in time is `waiting`; `changed` has it later. */
  async list(): Promise<Result<readonly WebhookSummary[]>> {
    const waiting = new Set(this.ids());
    const reading = Promise.all(
      this.#stored.map(async ({ id }) => {
        const { state } = await this.#ports.secrets.read(id, null);
        this.#secretStates.set(id, state);
        waiting.delete(id);
      }),
    ).then(() => true);
    if (!(await inTime(this.#ports.timers, reading, false))) {
      for (const id of waiting) this.#secretStates.set(id, 'waiting');
      void reading.then(() => this.#ports.changed(this.#summaries()));
    }
    return done(this.#summaries());
  }

  /** Lists the webhook before its secret is stored: a kill in between leaves none that no webhook owns. */
  async add(settings: WebhookSettings, secret: WebhookSecret): Promise<Result<readonly WebhookSummary[]>> {
    const fault = webhookSettingsFault(settings) ?? webhookSecretFault(settings.service, secret);
    if (fault !== null) return notValid(fault);
    const id = `webhook-${this.#ports.newId()}`.slice(0, 48);
    const listed = await this.#changes.run(async () => {
      if (this.#stored.length >= MAX_WEBHOOKS)
        return blocked(`There are ${MAX_WEBHOOKS} webhooks already.`, 'Remove one first.');
      await this.#save([...this.#stored, { id, settings }]);
      return done(null);
    });
    if (!listed.ok) return listed;
    // No change waits for the keychain, which may be asking for its password.
    const written = await this.#ports.secrets.write(id, itemOf(secret), null);
    if (written.ok) return this.list();
    await this.#unlist(id);
    return written;
  }

  async change(
    id: string,
    settings: WebhookSettings,
    secret: WebhookSecret | null,
  ): Promise<Result<readonly WebhookSummary[]>> {
    const one = this.#find(id);
    if (one === null) return unknown();
    const { service } = one.settings;
    const fault =
      webhookSettingsFault({ ...settings, service }) ??
      (secret === null ? null : webhookSecretFault(service, secret));
    if (fault !== null) return notValid(fault);
    // A new address must not get amounts by the old settings, also where the new ones cannot be stored.
    if (secret !== null && one.settings.amounts && !settings.amounts)
      await this.#edit(id, (now) => ({ ...now, amounts: false }));
    const written = secret === null ? null : await this.#ports.secrets.write(id, itemOf(secret), null);
    if (written?.ok === false) return written;
    // The keychain may have the address before, which must not get what is meant for the new one after a restart.
    if (written?.data === 'memory') await this.#ports.secrets.withhold([id]);
    // It may have been switched while the keychain was slow.
    const isSwitched = settings.on !== one.settings.on;
    const changed = await this.#edit(id, ({ on }) => ({
      ...settings,
      service,
      on: isSwitched ? settings.on : on,
    }));
    // Removed meanwhile, perhaps before the secret was stored.
    if (written !== null && this.#find(id) === null) await this.#ports.secrets.forget(id, true);
    return changed.ok ? this.list() : changed;
  }

  /** Removes the secret first: without the webhook no one would know whose it is. */
  async remove(id: string, leaveSecret: boolean): Promise<Result<readonly WebhookSummary[]>> {
    if (this.#find(id) === null) return unknown();
    const forgotten = await this.#ports.secrets.forget(id, leaveSecret);
    if (!forgotten.ok && !leaveSecret) return forgotten;
    await this.#unlist(id);
    return this.list();
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
  #edit(id: string, next: (now: WebhookSettings) => WebhookSettings): Promise<Result<null>> {
    return this.#changes.run(async () => {
      const one = this.#find(id);
      if (one === null) return unknown();
      const edited = { id, settings: next(one.settings) };
      await this.#save(this.#stored.map((other) => (other.id === id ? edited : other)));
      return done(null);
    });
  }
  #unlist(id: string): Promise<void> {
    return this.#changes.run(() => this.#save(this.#stored.filter((one) => one.id !== id)));
  }
  #summaries(): readonly WebhookSummary[] {
    return this.#stored.map((one) => ({ ...one, secret: this.#secretStates.get(one.id) ?? 'waiting' }));
  }
}

const itemOf = ({ address, authorization }: WebhookSecret): SecretInput => ({
  secret: address,
  headers: authorization === '' ? {} : { authorization },
});

const notValid = ({ field, message }: WebhookFault) =>
  blocked(`The ${field} must be ${message}.`, 'Correct it, then save again.', field);
const unknown = () => blocked('This webhook was removed.', 'Open Settings › When away again.', 'id');
