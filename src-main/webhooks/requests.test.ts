import { describe, expect, it } from 'vitest';
import type { WebhookService, WebhookSettings } from '../../src-shared/ipc/webhooks.ts';
import { requestOf, type Message } from './requests.ts';

const ADDRESSES: Readonly<Record<WebhookService, string>> = {
  ntfy: 'https://ntfy.example:8443/my-topic_1',
  telegram: '123456789:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc',
  slack: 'https://hooks.slack.com/services/T000/B000/XXXX',
  discord: 'https://discord.com/api/webhooks/1/token?thread_id=7',
  json: 'https://home.example/alerts?of=ballast',
};
const settings = (service: WebhookService): WebhookSettings => ({
  service,
  name: 'Phone',
  on: true,
  alerts: 'all',
  amounts: false,
  chat: service === 'telegram' ? '-100123' : '',
});
const MESSAGE: Message = {
  id: 'alert-1',
  rule: 'liquidation-danger',
  critical: true,
  at: Date.parse('2026-11-22T03:00:00Z'),
  account: 'LIVE Main',
  title: 'BTC-USDT-M long: liquidation ≈ 4.90% away',
  text: 'Mark 100, liquidation at 95.10.',
};
const request = (
  service: WebhookService,
  message: Partial<Message> = {},
  authorization = '',
  now = MESSAGE.at + 119_000,
) =>
  requestOf(
    settings(service),
    { address: ADDRESSES[service], authorization },
    { ...MESSAGE, ...message },
    now,
  );
const bodyOf = (...of: Parameters<typeof request>): Record<string, unknown> =>
  JSON.parse(request(...of)?.body ?? '{}') as Record<string, unknown>;

const TEXT = 'LIVE Main: BTC-USDT-M long: liquidation ≈ 4.90% away\nMark 100, liquidation at 95.10.';

describe('the request of each service', () => {
  // "Publish as JSON": POST to the root URL, not to the topic's; priority 1 to 5, 3 is the default.
  it('ntfy: JSON to the root, the topic and the title in the body', () => {
    expect(request('ntfy', {}, 'Bearer tk_1')).toMatchObject({
      method: 'POST',
      url: 'https://ntfy.example:8443/',
      headers: { 'content-type': 'application/json', authorization: 'Bearer tk_1' },
    });
    expect(bodyOf('ntfy')).toEqual({
      topic: 'my-topic_1',
      title: 'LIVE Main: BTC-USDT-M long: liquidation ≈ 4.90% away',
      message: 'Mark 100, liquidation at 95.10.',
      priority: 5,
    });
    expect(bodyOf('ntfy', { text: '', critical: false })).toMatchObject({
      message: 'LIVE Main: BTC-USDT-M long: liquidation ≈ 4.90% away',
      priority: 3,
    });
  });

  it('a late one says how old it is; JSON has the time', () => {
    const late = MESSAGE.at + 8 * 3_600_000;
    const title = 'LIVE Main, 8 h 0 min ago: BTC-USDT-M long: liquidation ≈ 4.90% away';
    expect(bodyOf('ntfy', {}, '', late)).toMatchObject({ title });
    expect(bodyOf('telegram', {}, '', late)).toMatchObject({ text: `${title}\n${MESSAGE.text}` });
    expect(bodyOf('telegram', {}, '', MESSAGE.at + 120_000).text).toContain('LIVE Main, 2 min ago: ');
    expect(bodyOf('json', {}, '', late)).toMatchObject({ title: MESSAGE.title });
    // The clock was set back.
    expect(bodyOf('telegram', {}, '', 0)).toMatchObject({ text: TEXT });
  });

  // Bot API, sendMessage: chat_id is a number or @channel, also as text; link_preview_options.is_disabled.
  it('Telegram: plain text, without parse_mode and previews', () => {
    expect(request('telegram')?.url).toBe(
      'https://api.telegram.org/bot123456789:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc/sendMessage',
    );
    expect(bodyOf('telegram')).toEqual({
      chat_id: '-100123',
      text: TEXT,
      link_preview_options: { is_disabled: true },
    });
  });

  // Incoming webhooks: POST of JSON with text. Formatting: mrkdwn false turns markup off.
  it('Slack: text without markup and previews', () => {
    expect(request('slack')?.url).toBe(ADDRESSES.slack);
    expect(bodyOf('slack')).toEqual({
      text: TEXT,
      mrkdwn: false,
      unfurl_links: false,
      unfurl_media: false,
    });
  });

  // Execute Webhook: "when false a message that is not saved does not return an error"; flag 1 << 2 is SUPPRESS_EMBEDS.
  it('Discord: mentions no one, embeds nothing, waits until the message is saved', () => {
    expect(request('discord')?.url).toBe('https://discord.com/api/webhooks/1/token?thread_id=7&wait=true');
    expect(bodyOf('discord')).toEqual({
      content: TEXT,
      allowed_mentions: { parse: [] },
      flags: 4,
    });
  });

  it('JSON: every part by its name', () => {
    expect(request('json', {}, 'Bearer own')).toMatchObject({
      url: ADDRESSES.json,
      headers: { 'content-type': 'application/json', authorization: 'Bearer own' },
    });
    expect(bodyOf('json')).toEqual({
      app: 'ballast',
      version: 1,
      id: 'alert-1',
      at: '2026-11-22T03:00:00.000Z',
      rule: 'liquidation-danger',
      critical: true,
      account: 'LIVE Main',
      title: MESSAGE.title,
      text: MESSAGE.text,
    });
    expect(bodyOf('json', { rule: null })).toMatchObject({ rule: 'test' });
  });
});

describe('server text in a message', () => {
  const malicious = '<!channel> *b* [pay](https://evil.example) @everyone <@1> `x` a&b\r\nX-Priority: 1';

  it('is escaped where the service has markup', () => {
    expect(bodyOf('slack', { title: malicious, text: '' }).text).toBe(
      'LIVE Main: &lt;!channel&gt; *b* [pay](https://evil.example) @everyone &lt;@1&gt; `x` a&amp;b\r\nX-Priority: 1',
    );
    expect(bodyOf('discord', { title: malicious, text: '' }).content).toBe(
      'LIVE Main: \\<!channel\\> \\*b\\* \\[pay\\]\\(https://evil.example\\) @everyone \\<@1\\> \\`x\\` a&b\r\nX-Priority: 1',
    );
    expect(bodyOf('telegram', { title: malicious, text: '' }).text).toBe(`LIVE Main: ${malicious}`);
  });

  it('reaches no header and no address', () => {
    for (const service of ['ntfy', 'telegram', 'slack', 'discord', 'json'] as const) {
      const { url, headers } =
        request(service, { title: malicious, text: malicious, account: malicious }) ?? {};
      expect(JSON.stringify([url, headers]), service).not.toMatch(/evil|Priority|everyone/);
    }
  });
});

describe('long texts', () => {
  // Telegram: "1-4096 characters after entities parsing". Discord: "up to 2000 characters". Slack advises 4,000 at most.
  it.each([
    ['telegram', 'text', 4_096],
    ['slack', 'text', 4_000],
    ['discord', 'content', 2_000],
    ['json', 'text', 4_000],
  ] as const)('are cut to the limit of %s at a whole character', (service, field, most) => {
    const cut = bodyOf(service, { text: '😀<'.repeat(5_000) })[field] as string;
    expect(cut.length).toBeLessThanOrEqual(most);
    expect(cut.length).toBeGreaterThan(most - 8);
    expect(cut).toMatch(/(?:😀|<|&lt;|\\<)…$/);
    expect(cut.isWellFormed()).toBe(true);
  });

  it('are cut to the bytes of ntfy, which makes longer ones an attachment', () => {
    const { title, message } = bodyOf('ntfy', { title: '😀'.repeat(2_000), text: 'é'.repeat(5_000) });
    expect(Buffer.byteLength(title as string)).toBeLessThanOrEqual(250);
    expect(Buffer.byteLength(`${title as string}${message as string}`)).toBeLessThanOrEqual(4_096);
  });

  // transformBodyJSON of ntfy's server: a body of at most twice the message limit, else 413.
  it('are cut to ntfy’s body too, where a character may have six bytes', () => {
    const text = '\u0001"\\é'.repeat(5_000);
    expect(Buffer.byteLength(request('ntfy', { title: text, text })?.body ?? '')).toBeLessThanOrEqual(4_096);
  });

  it('have no lone surrogate, whatever the server sent', () => {
    expect(bodyOf('telegram', { title: 'x\ud83d', text: '' }).text).toBe('LIVE Main: x\ufffd');
  });
});

describe('an address or a token', () => {
  it.each([
    ['ntfy', 'http://ntfy.sh/topic'],
    ['ntfy', 'https://ntfy.sh/'],
    ['ntfy', 'https://ntfy.sh/a/b'],
    ['ntfy', 'https://ntfy.sh/topic?up=1'],
    ['telegram', '123:short'],
    ['telegram', '123456789:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc/../x'],
    ['slack', 'https://user:pass@hooks.slack.com/services/x'],
    ['slack', 'https://hooks.slack.com@evil.example/x'],
    ['discord', 'https://discord.com/api/webhooks/1/token#x'],
    ['json', 'https://home.example/ä'],
    ['json', 'https://home.example/a b'],
    ['json', 'https://home.example\\evil.example/'],
    ['json', 'file:///etc/passwd'],
    ['json', 'https://home.example:99999/'],
    ['ntfy', 'https://1.2.3.999/topic'],
    ['json', 'https://'],
    ['json', ''],
  ] as const)('%s %s makes no request', (service, address) => {
    expect(requestOf(settings(service), { address, authorization: '' }, MESSAGE, MESSAGE.at)).toBeNull();
  });

  it('may not bring header lines, nor a chat that is none', () => {
    expect(request('json', {}, 'Bearer x\r\nx-more: 1')).toBeNull();
    const chat = { ...settings('telegram'), chat: 'me' };
    const secret = { address: ADDRESSES.telegram, authorization: '' };
    expect(requestOf(chat, secret, MESSAGE, MESSAGE.at)).toBeNull();
  });
});
