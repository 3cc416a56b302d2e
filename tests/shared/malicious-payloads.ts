/**
 * Fifty payloads of a malicious exchange. The first kinds replace a field's value in an otherwise valid reply; the
 * last are whole replies (see malicious-server.ts).
 */
export type MaliciousValue =
  string | number | boolean | null | readonly unknown[] | Readonly<Record<string, unknown>>;
export interface Payload {
  readonly name: string;
  readonly value: MaliciousValue;
}

/** The effect of a payload if anything ran it: `ballastRan` must stay undefined. */
const RUN = 'globalThis.ballastRan=1';

const markup: readonly (readonly [string, string])[] = [
  ['script element', `<script>${RUN}</script>`],
  ['image that fails', `<img src=x onerror="${RUN}">`],
  ['vector image', `<svg/onload=${RUN}>`],
  ['frame', `<iframe srcdoc="<script>parent.ballastRan=1</script>"></iframe>`],
  ['frame of a script', `<iframe src="javascript:${RUN}"></iframe>`],
  ['object', `<object data="javascript:${RUN}"></object>`],
  ['style element', `<style>@import "javascript:${RUN}";*{display:none}</style>`],
  ['base and form', `<base href="https://evil.example/"><form action="/x"><button>Send</button></form>`],
  ['meta refresh', `<meta http-equiv="refresh" content="0;url=https://evil.example/">`],
  ['end of an attribute', `" autofocus onfocus="${RUN}" x="`],
  ['end of a text', `</script></textarea></title><img src=x onerror=${RUN}>`],
  ['entities', `&lt;img src=x onerror=${RUN}&gt;`],
];
const code: readonly (readonly [string, string])[] = [
  ['script address', `javascript:${RUN}`],
  ['script address, split', `java\tscript:${RUN}`],
  ['data address', `data:text/html,<script>${RUN}</script>`],
  ['file address', 'file:///etc/passwd'],
  ['program address', 'ms-msdt:/id%20PCWDiagnostic'],
  ['template expression', `\${${RUN}}`],
  ['component expression', `{@html "<img src=x onerror=${RUN}>"}{${RUN}}`],
  ['function by its constructor', `constructor.constructor('${RUN}')()`],
  ['database statement', `'); DROP TABLE trades; --`],
  ['shell', '$(touch /tmp/ballast-ran); `id`; | id &'],
  ['path', '../../../../etc/passwd'],
  ['log line', `x\n{"event":"forged"}`],
];
const cells: readonly (readonly [string, string])[] = [
  ['formula', `=HYPERLINK("https://evil.example","x")`],
  ['formula by plus', `+cmd|' /C calc'!A0`],
  ['formula by minus', `-2+3+cmd|' /C calc'!A0`],
  ['formula by at', `@SUM(1+1)*cmd|' /C calc'!A0`],
  ['formula after a tab', `\t=1+1`],
  ['cell that ends itself', `",=1+1,"`],
];
const unicode: readonly (readonly [string, string])[] = [
  ['right to left', '\u202eM-TDSU-CTB\u202c'],
  ['zero width', 'BTC\u200b-US\u200dDT-\ufeffM'],
  ['lone surrogates', 'BTC\ud800-USDT\udc00-M'],
  ['controls', 'a\u0000b\u0007c\u001b[31md\u0085e'],
  ['line separators', 'a\u2028b\u2029c'],
  ['look-alike', 'ВТС-USDТ-М'],
  ['combining marks', `Z${'\u0300\u0489'.repeat(2_000)}`],
  ['digits of another script', '١٢٣'],
];
const shapes: readonly (readonly [string, MaliciousValue])[] = [
  ['prototype key', '__proto__'],
  ['prototype object', { ['__proto__']: { ballastRan: 1 }, constructor: { prototype: { ballastRan: 1 } } }],
  ['object with methods’ names', { toString: 1, valueOf: 1, toJSON: 1, then: 1 }],
  ['huge text', 'A'.repeat(1_000_000)],
  ['deep nesting', nested(60)],
  ['wrong type: list', [1, 2, 3]],
  ['wrong type: yes', true],
  ['wrong type: float', 0.1],
];
/** Malicious whole replies, made by malicious-server.ts. */
export const WHOLE_REPLIES = ['200 MB body', 'slow drip', 'zip bomb', 'nesting without end'] as const;
export type WholeReply = (typeof WHOLE_REPLIES)[number];

const named = (list: readonly (readonly [string, MaliciousValue])[]): readonly Payload[] =>
  list.map(([name, value]) => ({ name, value }));

/** Forty-six of the fifty; the other four are `WHOLE_REPLIES`. */
export const PAYLOADS: readonly Payload[] = named([...markup, ...code, ...cells, ...unicode, ...shapes]);
export const TEXT_PAYLOADS = PAYLOADS.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));

function nested(levels: number): readonly unknown[] {
  let inner: readonly unknown[] = [];
  for (let level = 1; level < levels; level++) inner = [inner];
  return inner;
}
