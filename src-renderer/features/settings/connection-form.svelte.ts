/**
 * The form of a connection: what is typed, what is wrong with it, and what saving or testing it came to. A secret is
 * held only until it is saved or the form is left, and is never read back.
 */
import * as v from 'valibot';
import type { Calls } from '../../bridge.ts';
import {
  connectionSettingsSchema,
  secretFault,
  secretSchema,
  type ConnectionSettings,
  type ConnectionSummary,
  type TestStep,
} from '../../../src-shared/ipc/connections.ts';
import { addressOf } from '../../state/session/base-address.ts';
import type { ConnectionTests } from '../../state/settings/connection-tests.svelte.ts';
import { blocked, type Failure, type Result } from '../../../src-shared/ipc/failures.ts';
import {
  SIGNING_PRESETS,
  signingProfileSchema,
  type PresetName,
  type SigningPreview,
  type SigningProfile,
} from '../../../src-shared/ipc/signing.ts';
import { withNextStep } from '../../../src-shared/domain/order/check.ts';
import { failureText, sentence } from '../../text/failure-text.ts';

/** Settings as typed: each list is one text. */
interface Typed extends Omit<ConnectionSettings, 'pageUrl' | 'triggerTypes' | 'refusalCodes'> {
  pageUrl: string;
  triggerTypes: string;
  refusalCodes: string;
}

const EMPTY: Typed = {
  name: '',
  baseUrl: 'https://',
  apiKey: '',
  signing: SIGNING_PRESETS.practice.profile,
  pageUrl: '',
  triggerTypes: '',
  refusalCodes: '',
  reverseQuantity: 'unset',
  convention: 'flat',
  readOnly: false,
};

const typedOf = (settings: ConnectionSettings): Typed => ({
  ...settings,
  pageUrl: settings.pageUrl ?? '',
  triggerTypes: settings.triggerTypes.join(', '),
  refusalCodes: settings.refusalCodes.join(', '),
});
/** What a profile places in a header or the address. */
const PLACES = ['signature', 'timestamp', 'receiveWindow'] as const;
const SAMPLE_ADDRESS = 'https://api.exchange.example';

const listOf = (text: string): string[] => text.split(/[\s,]+/).filter((one) => one !== '');
const settingsOf = (typed: Typed): unknown => ({
  ...typed,
  pageUrl: typed.pageUrl.trim() === '' ? null : typed.pageUrl,
  triggerTypes: listOf(typed.triggerTypes),
  refusalCodes: listOf(typed.refusalCodes),
});

export class ConnectionForm {
  /** The connection that is edited; null for a new one. */
  saved = $state.raw<ConnectionSummary | null>(null);
  typed = $state<Typed>(structuredClone(EMPTY));
  /** As typed; '' keeps the stored one. */
  secret = $state('');
  /** Values of the headers marked secret, by name. */
  secretHeaders = $state<Record<string, string>>({});
  /** Faults are shown after the first attempt to save or test, not while the form is being filled in. */
  tried = $state<'to save' | 'to test' | null>(null);
  #busy = $state<'saving' | 'testing' | null>(null);
  /** The fault that main returned. */
  failure = $state.raw<Failure | null>(null);
  /** Steps of the last test of values that are not saved; null before one. */
  #draftSteps = $state.raw<readonly TestStep[] | null>(null);
  preview = $state.raw<Result<SigningPreview> | null>(null);
  readonly #calls: Calls;
  readonly #tests: ConnectionTests;
  #before = $state.raw('');
  /** What was typed when the test began, to which `steps` belong. */
  #tested = $state.raw('');
  #requestId = 0;
  /** The signing that a preset filled in, without names that no preset has: the user chose those. */
  #filledIn: SigningProfile;

  constructor(calls: Calls, tests: ConnectionTests, saved: ConnectionSummary | null) {
    this.#calls = calls;
    this.#tests = tests;
    this.saved = saved;
    if (saved !== null) this.typed = structuredClone(typedOf(saved.settings));
    this.#before = JSON.stringify(this.typed);
    this.#filledIn = withPresetNames($state.snapshot(this.typed.signing));
  }

  readonly busy: 'saving' | 'testing' | null = $derived.by(
    () => this.#busy ?? (this.saved !== null && this.#tests.isRunning(this.saved.id) ? 'testing' : null),
  );
  readonly steps: readonly TestStep[] = $derived.by(
    () => this.#draftSteps ?? (this.saved === null ? [] : this.#tests.stepsOf(this.saved.id)),
  );
  readonly #read = $derived(v.safeParse(connectionSettingsSchema, settingsOf(this.typed)));
  readonly #readSecret = $derived(
    v.safeParse(secretSchema, { secret: this.secret, headers: { ...this.secretHeaders } }),
  );
  /** The base URL is another one: a stored secret is not sent to it. */
  readonly #isElsewhere: boolean = $derived(
    this.saved !== null && addressOf(this.typed.baseUrl) !== addressOf(this.saved.settings.baseUrl),
  );
  readonly needsSecret: boolean = $derived(
    this.saved === null || this.saved.secret === 'missing' || this.#isElsewhere,
  );
  /** A secret, or a secret header's value, has been typed. */
  readonly secretTyped: boolean = $derived(
    this.secret !== '' || Object.values(this.secretHeaders).some((value) => value !== ''),
  );
  readonly #typedNow = $derived(JSON.stringify([this.typed, this.secret, this.secretHeaders]));
  readonly changed: boolean = $derived(JSON.stringify(this.typed) !== this.#before || this.secretTyped);

  /** Error text by path of the field: `baseUrl`, `signing.template`. */
  readonly faults: Readonly<Record<string, string>> = $derived.by(() => {
    const faults: Record<string, string> = {};
    for (const issue of this.#read.issues ?? [])
      faults[v.getDotPath(issue) ?? ''] ??= sentence(issue.message);
    if ((this.needsSecret || this.secretTyped) && this.secret === '')
      faults['secret'] = this.#isElsewhere
        ? 'Enter the API secret again: the stored one is for the previous base URL.'
        : this.needsSecret
          ? 'Enter the API secret.'
          : 'Enter the API secret again with the header’s value: they are stored together.';
    const unkept = this.#readSecret.success ? secretFault(this.#readSecret.output) : null;
    if (unkept !== null) faults['secret'] = withNextStep(unkept);
    if (this.failure?.field !== undefined) faults[this.failure.field] ??= this.failure.message;
    return faults;
  });
  readonly mayBeSaved: boolean = $derived(Object.keys(this.faults).length === 0);

  /** The steps of a test of exactly what is typed; none without one. */
  get stepsAsTyped(): readonly TestStep[] {
    return this.#typedNow === this.#tested ? this.steps : [];
  }

  /** The last test's failure. Dropped once anything is typed: it was a test of other values. */
  readonly #testFault: Failure | null = $derived.by(
    () => this.stepsAsTyped.find((one) => one.failure)?.failure ?? null,
  );

  /** Returns a field's error once faults may be shown, or what the test found wrong with it. */
  fault(path: string): string | null {
    if (this.tried === null) return null;
    const found = this.#testFault;
    return this.faults[path] ?? (found?.field === path ? failureText(found) : null);
  }
  /** Returns the first error of a list, whose items are checked one by one. */
  faultUnder(path: string): string | null {
    if (this.tried === null) return null;
    return (
      Object.entries(this.faults).find(([key]) => key === path || key.startsWith(`${path}.`))?.[1] ?? null
    );
  }

  /** Fills the form from an imported file; it contains no key or secret. */
  fill(settings: ConnectionSettings): void {
    this.typed = structuredClone(typedOf(settings));
    this.#filledIn = withPresetNames(settings.signing);
    this.secret = '';
    this.secretHeaders = {};
    this.#draftSteps = [];
    this.tried = null;
  }

  /** Fills in a preset. Names that are saved or typed and not of a preset stay. */
  usePreset(name: PresetName): void {
    const { profile } = SIGNING_PRESETS[name];
    this.typed.signing = withTyped(profile, $state.snapshot(this.typed.signing), this.#filledIn);
    this.#filledIn = profile;
  }

  /** Previews the signing of a sample request. Requested on each change; the newest reply counts. */
  async showPreview(): Promise<void> {
    const requestId = ++this.#requestId;
    const profile: SigningProfile = $state.snapshot(this.typed.signing);
    const parsed = v.safeParse(signingProfileSchema, profile);
    if (!parsed.success) {
      const [issue] = parsed.issues;
      const field = v.getDotPath(issue) ?? 'signing';
      this.preview = blocked(issue.message, `Correct “${field}”.`, field);
      return;
    }
    const { apiKey } = this.typed;
    // The URL may not be typed yet; until it is valid a sample stands for it.
    const baseUrl = this.faults['baseUrl'] === undefined ? this.typed.baseUrl : SAMPLE_ADDRESS;
    const result = await this.#calls.call('signing.preview', { profile, apiKey, baseUrl });
    if (requestId === this.#requestId) this.preview = result;
  }

  /** Stores the connection and returns it, or null with faults shown. What is typed meanwhile stays, as `changed` says. */
  async save(): Promise<ConnectionSummary | null> {
    this.tried = 'to save';
    this.failure = null;
    const { output: settings, success } = this.#read;
    if (!this.mayBeSaved || !success) return null;
    const { stepsAsTyped: steps, secret } = this;
    const typed = JSON.stringify(this.typed);
    const headers = JSON.stringify(this.secretHeaders);
    this.#busy = 'saving';
    const result = await this.#store(settings);
    this.#busy = null;
    if (!result.ok) {
      this.failure = result.failure;
      return null;
    }
    if (!result.data.verified) this.#tests.keep(result.data.id, steps);
    this.saved = result.data;
    this.tried = null;
    this.#before = typed;
    if (this.secret === secret) this.secret = '';
    if (JSON.stringify(this.secretHeaders) === headers) this.secretHeaders = {};
    return result.data;
  }

  async #store(settings: ConnectionSettings): Promise<Result<ConnectionSummary>> {
    const secret = this.#readSecret;
    if (this.saved === null) {
      if (!secret.success) throw new Error('a new connection was saved without a secret');
      return this.#calls.call('connections.add', { settings, secret: secret.output });
    }
    return this.#calls.call('connections.update', {
      connectionId: this.saved.id,
      settings,
      secret: secret.success ? secret.output : null,
    });
  }

  /**
   * Tests the connection by signed reads, without sending an order. Unsaved changes are tested once the secret is
   * typed.
   */
  async test(): Promise<void> {
    this.tried = 'to test';
    this.failure = null;
    this.#tested = this.#typedNow;
    const { output: settings, success } = this.#read;
    if (this.saved !== null && !this.changed) {
      this.#draftSteps = null;
      this.failure = await this.#tests.run(this.saved.id);
      return;
    }
    this.#draftSteps = [];
    if (!this.mayBeSaved || !success || !this.#readSecret.success) return;
    this.#busy = 'testing';
    const input = { settings, secret: this.#readSecret.output };
    const result = await this.#calls.call('connections.testDraft', input);
    if (result.ok) this.#draftSteps = result.data;
    else this.failure = result.failure;
    this.#busy = null;
  }
}

/** Returns a profile without the names and headers that no preset has. */
function withPresetNames(profile: SigningProfile): SigningProfile {
  const presets = Object.values(SIGNING_PRESETS).map((one) => one.profile);
  const left = structuredClone(profile);
  if (!presets.some((one) => one.keyHeader === left.keyHeader)) left.keyHeader = null;
  for (const part of PLACES) {
    const place = left[part];
    if (place !== null && !presets.some((one) => one[part]?.name === place.name)) place.name = '';
  }
  const headers = new Set(presets.flatMap((one) => one.headers.map(({ name }) => name)));
  left.headers = left.headers.filter(({ name }) => headers.has(name));
  return left;
}

/** Returns a preset with the names and headers that were typed over what was filled in. */
function withTyped(preset: SigningProfile, typed: SigningProfile, filledIn: SigningProfile): SigningProfile {
  const next = structuredClone(preset);
  if (typed.keyHeader !== filledIn.keyHeader) next.keyHeader = typed.keyHeader;
  for (const part of PLACES) {
    const [to, from] = [next[part], typed[part]];
    // A name for a header is none for the address.
    if (to !== null && from !== null && to.in === from.in && from.name !== filledIn[part]?.name)
      to.name = from.name;
  }
  const known = new Set([...filledIn.headers, ...next.headers].map((one) => one.name));
  next.headers.push(...typed.headers.filter((one) => !known.has(one.name)));
  next.contentType = typed.contentType;
  return next;
}
