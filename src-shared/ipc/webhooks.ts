/** Defines webhooks, which send alerts to a user who is away. Their addresses and tokens travel inward only. */
import * as v from 'valibot';
import { call, nothing, textUpTo } from './call.ts';
import type { SecretState } from './connections.ts';

const WEBHOOK_SERVICES = ['ntfy', 'telegram', 'slack', 'discord', 'json'] as const;
export type WebhookService = (typeof WEBHOOK_SERVICES)[number];

export const SERVICE_LABELS: Readonly<Record<WebhookService, string>> = {
  ntfy: 'ntfy',
  telegram: 'Telegram bot',
  slack: 'Slack incoming webhook',
  discord: 'Discord webhook',
  json: 'JSON to your own server',
};

export const webhookSettingsSchema = v.strictObject({
  service: v.picklist(WEBHOOK_SERVICES),
  name: v.pipe(v.string(), v.trim(), v.minLength(1, 'enter a name'), v.maxLength(40)),
  on: v.boolean(),
  /** Which alerts are sent. In quiet hours only critical ones are, whatever this says. */
  alerts: v.picklist(['all', 'critical']),
  /** Sends amounts of the account; prices and percentages are always sent. */
  amounts: v.boolean(),
  /** Telegram’s chat id or @channel; empty for the other services. */
  chat: v.pipe(v.string(), v.trim(), v.maxLength(40)),
});
export type WebhookSettings = v.InferOutput<typeof webhookSettingsSchema>;

/** What stays secret, stored as one keychain item. */
const webhookSecretSchema = v.strictObject({
  /** The web address, or Telegram’s bot token. */
  address: v.pipe(v.string(), v.trim(), v.maxLength(1_200)),
  /** Value of the `Authorization` header for ntfy and JSON; empty for none. */
  authorization: v.pipe(v.string(), v.trim(), v.maxLength(400)),
});
export type WebhookSecret = v.InferOutput<typeof webhookSecretSchema>;

/** An https address without user name, password and fragment, all in characters that need no encoding. */
const ADDRESS =
  /^https:\/\/(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?(\/[!$-;=?-[\]_a-z~]*)?$/i;
const NTFY_TOPIC = /^\/[\w-]{1,64}$/;
const BOT_TOKEN = /^\d{3,20}:[\w-]{20,80}$/;
const CHAT = /^(?:-?\d{1,20}|@[a-z]\w{3,31})$/i;
const HEADER_VALUE = /^[\x20-\x7e]*$/;

export interface WebhookFault {
  readonly field: 'address' | 'authorization' | 'chat';
  /** Contains no part of the secret. */
  readonly message: string;
}

/** Returns what is wrong with a secret for its service, or null. */
export function webhookSecretFault(service: WebhookService, secret: WebhookSecret): WebhookFault | null {
  const { address, authorization } = secret;
  if (service === 'telegram') {
    if (!BOT_TOKEN.test(address))
      return { field: 'address', message: 'a bot token, such as 123456789:AAE…, as @BotFather shows it' };
  } else {
    const path = ADDRESS.exec(address)?.[1];
    if (!ADDRESS.test(address))
      return { field: 'address', message: 'an address that starts with https://, without a user name or #' };
    if (service === 'ntfy' && !NTFY_TOPIC.test(path ?? ''))
      return { field: 'address', message: 'the address of a topic, such as https://ntfy.sh/your-topic' };
  }
  return HEADER_VALUE.test(authorization)
    ? null
    : { field: 'authorization', message: 'one line of plain characters, such as Bearer tk_…' };
}

/** Returns what is wrong with the settings apart from the secret, or null. */
export const webhookSettingsFault = ({ service, chat }: WebhookSettings): WebhookFault | null =>
  service === 'telegram' && !CHAT.test(chat)
    ? { field: 'chat', message: 'a chat ID, such as 123456789, or a channel, such as @yourchannel' }
    : null;

export interface WebhookSummary {
  readonly id: string;
  readonly settings: WebhookSettings;
  readonly secret: SecretState;
}

/** How a message is getting on. */
export interface MessageOutcome {
  readonly webhookId: string;
  /** Name of the webhook when the message was sent. */
  readonly name: string;
  readonly state: 'sending' | 'retrying' | 'delivered' | 'failed';
  /** Why it is not delivered; empty otherwise. */
  readonly why: string;
  /** Wall clock, ms. */
  readonly at: number;
}

const webhookId = textUpTo(60);

/** Each returns all webhooks, except the test. */
export const WEBHOOK_CALLS = {
  'webhooks.list': call(nothing).returns<readonly WebhookSummary[]>(),
  'webhooks.add': call(
    v.strictObject({ settings: webhookSettingsSchema, secret: webhookSecretSchema }),
  ).returns<readonly WebhookSummary[]>(),
  /** Changes the settings, and the secret unless it is null. The service stays. */
  'webhooks.change': call(
    v.strictObject({
      id: webhookId,
      settings: webhookSettingsSchema,
      secret: v.nullable(webhookSecretSchema),
    }),
  ).returns<readonly WebhookSummary[]>(),
  /** `leaveSecret` removes it even if the keychain cannot delete its secret, which then stays there. */
  'webhooks.remove': call(v.strictObject({ id: webhookId, leaveSecret: v.boolean() })).returns<
    readonly WebhookSummary[]
  >(),
  /** Sends one test message, without repeating it. */
  'webhooks.test': call(v.strictObject({ id: webhookId })).returns<MessageOutcome>(),
} as const;
