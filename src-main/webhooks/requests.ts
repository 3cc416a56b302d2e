/**
 * Builds the request of each service. The texts contain server text, so nothing in them may act as markup, mention or
 * header: they travel in JSON bodies only, and each is cut to its service's limit.
 */
import {
  webhookSecretFault,
  webhookSettingsFault,
  type WebhookSecret,
  type WebhookService,
  type WebhookSettings,
} from '../../src-shared/ipc/webhooks.ts';
import { sinceText } from '../../src-shared/domain/display/time-left.ts';
import { MINUTE_MS } from '../../src-shared/time.ts';
import type { AlertRule } from '../../src-shared/domain/alerts/rules.ts';
import type { WireRequest } from '../exchange/transport.ts';

export interface Message {
  /** The alert’s id, the same in every attempt. */
  readonly id: string;
  /** Null for a test message. */
  readonly rule: AlertRule | null;
  readonly critical: boolean;
  /** Wall clock, ms. */
  readonly at: number;
  /** Names the account, such as `LIVE Main`. */
  readonly account: string;
  readonly title: string;
  readonly text: string;
}

/**
 * Longest texts in characters, for ntfy in bytes as JSON: 4,096 of a message, above which it is an attachment, of a body of
 * twice that. Phones get title and message in about 4 kB together.
 */
const LIMITS = { ntfyTitle: 250, ntfy: 3_500, telegram: 4_096, slack: 4_000, discord: 2_000, json: 4_000 };

/** An alert that arrives later says how old it is: of the services only JSON of one's own shows when it was raised. */
const LATE_MS = 2 * MINUTE_MS;

/**
 * Returns the request, or null if the settings or the secret are not valid for the service.
 * @param now ms
 */
export function requestOf(
  settings: WebhookSettings,
  secret: WebhookSecret,
  message: Message,
  now: number,
): WireRequest | null {
  const { service, chat } = settings;
  if (webhookSettingsFault(settings) !== null || webhookSecretFault(service, secret) !== null) return null;
  // Ports and IPv4 addresses out of range pass the pattern.
  if (service !== 'telegram' && !URL.canParse(secret.address)) return null;
  const age = now - message.at < LATE_MS ? '' : `, ${sinceText(message.at, now)} ago`;
  const title = `${message.account}${age}: ${message.title}`;
  const text = [title, message.text].filter((one) => one !== '').join('\n');
  const { url, body, authorization = '' } = REQUESTS[service]({ ...secret, chat, title, text, message });
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...(authorization === '' ? {} : { authorization }) },
    body: JSON.stringify(body),
  };
}

/** What a request is built from. */
interface Parts extends WebhookSecret {
  readonly chat: string;
  /** The account and the title. */
  readonly title: string;
  /** The account, the title and the text. */
  readonly text: string;
  readonly message: Message;
}
interface Built {
  readonly url: string;
  readonly body: object;
  readonly authorization?: string;
}

const REQUESTS: Readonly<Record<WebhookService, (parts: Parts) => Built>> = {
  // JSON goes to the server's root; a request to the topic has the title in a header, where no line may break.
  ntfy({ address, authorization, title, message }) {
    const { origin, pathname } = new URL(address);
    return {
      url: `${origin}/`,
      authorization,
      body: {
        topic: pathname.slice(1),
        title: cut(title, LIMITS.ntfyTitle, jsonBytes),
        message: cut(message.text === '' ? title : message.text, LIMITS.ntfy, jsonBytes),
        priority: message.critical ? 5 : 3,
      },
    };
  },
  // Without `parse_mode` the text is plain.
  telegram: ({ address, chat, text }) => ({
    url: `https://api.telegram.org/bot${address}/sendMessage`,
    body: { chat_id: chat, text: cut(text, LIMITS.telegram), link_preview_options: { is_disabled: true } },
  }),
  slack: ({ address, text }) => ({
    url: address,
    body: {
      text: cut(text, LIMITS.slack, plain, escapeSlack),
      mrkdwn: false,
      unfurl_links: false,
      unfurl_media: false,
    },
  }),
  // Without `wait` a message that could not be saved counts as accepted.
  discord({ address, text }) {
    const url = new URL(address);
    url.searchParams.set('wait', 'true');
    return {
      url: url.href,
      body: {
        content: cut(text, LIMITS.discord, plain, escapeDiscord),
        allowed_mentions: { parse: [] },
        flags: SUPPRESS_EMBEDS,
      },
    };
  },
  json: ({ address, authorization, message: { id, at, rule, critical, account, title, text } }) => ({
    url: address,
    authorization,
    body: {
      app: 'ballast',
      version: 1,
      id,
      at: new Date(at).toISOString(),
      rule: rule ?? 'test',
      critical,
      account,
      title: cut(title, LIMITS.json),
      text: cut(text, LIMITS.json),
    },
  }),
};

const SUPPRESS_EMBEDS = 4;

/** The three characters that Slack reads as markup, as `<!channel>`. */
const SLACK: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escapeSlack = (one: string): string => SLACK[one] ?? one;
/** Discord's markup; a backslash in front of punctuation makes it plain. */
const escapeDiscord = (one: string): string => (/[\\*_~`|<>[\]()#]/.test(one) ? `\\${one}` : one);

/** UTF-16 units: never fewer than the characters that Telegram, Slack and Discord limit. */
const plain = (one: string): number => one.length;
/** Bytes in a JSON text, where a control character has six. */
const jsonBytes = (one: string): number => Buffer.byteLength(JSON.stringify(one)) - 2;

/** Escapes and cuts at whole characters to at most `limit`, with `…` where something was left out. */
function cut(
  text: string,
  limit: number,
  size: (one: string) => number = plain,
  escape: (one: string) => string = (one) => one,
): string {
  const sizeOf = (part: string): number => Array.from(part).reduce((sum, one) => sum + size(one), 0);
  const parts = Array.from(text.toWellFormed(), escape);
  if (parts.reduce((sum, one) => sum + sizeOf(one), 0) <= limit) return parts.join('');
  let left = limit - size('…');
  const end = parts.findIndex((one) => (left -= sizeOf(one)) < 0);
  return `${parts.slice(0, end).join('')}…`;
}
