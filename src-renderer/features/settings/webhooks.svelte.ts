import {
  webhookSecretFault,
  webhookSettingsFault,
  type MessageOutcome,
  type WebhookFault,
  type WebhookService,
  type WebhookSettings,
  type WebhookSummary,
} from '../../../src-shared/ipc/webhooks.ts';
import { MainState } from '../../state/settings/main-state.svelte.ts';

/** A form of one webhook. An address that is left empty when changing one stays as it is. */
export interface WebhookDraft {
  /** Null for a new one. */
  id: string | null;
  /** Whether it was begun as a new one, above the list, where it stays once it is saved. */
  readonly isNew: boolean;
  service: WebhookService;
  name: string;
  address: string;
  authorization: string;
  chat: string;
  critical: boolean;
  amounts: boolean;
}
type Field = WebhookFault['field'] | 'name';

/** The user's webhooks and the form that adds or changes one. */
export class WebhookForm extends MainState<readonly WebhookSummary[]> {
  readonly list: readonly WebhookSummary[] | null = $derived(this.state);
  draft = $state<WebhookDraft | null>(null);
  fault = $state.raw<{ readonly field: Field; readonly message: string } | null>(null);
  saving = $state(false);
  /** The webhook being tested. */
  testing = $state<string | null>(null);
  /** Outcomes of tests, by webhook. */
  tested = $state.raw<Readonly<Record<string, MessageOutcome>>>({});
  removing = $state(false);
  /** The webhook the keychain did not forget: removing it again leaves its secret there. */
  kept = $state<string | null>(null);
  #begun = '';

  /** What leaving the form would lose. An address may be a secret, which a service shows only once. */
  get unsaved(): 'secret' | 'changes' | null {
    const { draft } = this;
    if (draft === null || JSON.stringify(draft) === this.#begun) return null;
    return draft.address === '' && draft.authorization === '' ? 'changes' : 'secret';
  }

  async load(): Promise<void> {
    this.take(await this.calls.call('webhooks.list', undefined));
  }

  begin(one: WebhookSummary | null): void {
    const settings = one?.settings;
    this.fault = null;
    this.failure = null;
    this.draft = {
      id: one?.id ?? null,
      isNew: one === null,
      service: settings?.service ?? 'ntfy',
      name: settings?.name ?? '',
      address: '',
      authorization: '',
      chat: settings?.chat ?? '',
      critical: settings?.alerts === 'critical',
      amounts: settings?.amounts ?? false,
    };
    this.#begun = JSON.stringify(this.draft);
  }
  cancel(): void {
    this.draft = null;
    this.fault = null;
  }

  /**
   * Saves the form and closes it. Returns whether it was closed: what is typed meanwhile stays, as changes of what was
   * saved.
   */
  async save(): Promise<boolean> {
    const { draft } = this;
    if (draft === null || this.saving) return false;
    const sent = $state.snapshot(draft);
    const { id, service, address, authorization } = sent;
    const secret = { address: address.trim(), authorization: authorization.trim() };
    const kept = id !== null && secret.address === '' && secret.authorization === '';
    const settings = settingsOf(sent, this.list?.find((one) => one.id === id)?.settings.on ?? true);
    this.fault =
      settings.name === ''
        ? { field: 'name', message: 'enter a name' }
        : (webhookSettingsFault(settings) ?? (kept ? null : webhookSecretFault(service, secret)));
    if (this.fault !== null) return false;
    this.saving = true;
    const result =
      id === null
        ? await this.calls.call('webhooks.add', { settings, secret })
        : await this.calls.call('webhooks.change', { id, settings, secret: kept ? null : secret });
    this.saving = false;
    this.take(result);
    // Another form may be open by now.
    if (!result.ok || this.draft !== draft) return result.ok;
    draft.id ??= result.data.at(-1)?.id ?? null;
    return this.#closeSaved(draft, { ...sent, id: draft.id });
  }
  /** Closes the form, unless something was typed since `sent` was. Returns whether it did. */
  #closeSaved(draft: WebhookDraft, sent: WebhookDraft): boolean {
    if (JSON.stringify(draft) === JSON.stringify(sent)) {
      this.draft = null;
      return true;
    }
    draft.service = sent.service;
    if (draft.address === sent.address) draft.address = '';
    if (draft.authorization === sent.authorization) draft.authorization = '';
    this.#begun = JSON.stringify({ ...sent, address: '', authorization: '' });
    return false;
  }

  async switchOn({ id, settings }: WebhookSummary, on: boolean): Promise<void> {
    this.take(await this.calls.call('webhooks.change', { id, settings: { ...settings, on }, secret: null }));
  }

  async test(id: string): Promise<void> {
    if (this.testing !== null) return;
    this.testing = id;
    const { [id]: _last, ...others } = this.tested;
    this.tested = others;
    const result = await this.calls.call('webhooks.test', { id });
    this.testing = null;
    if (result.ok) this.tested = { ...this.tested, [id]: result.data };
    else this.failure = result.failure;
  }

  /** Removes a webhook; returns whether it was removed. */
  async remove(id: string): Promise<boolean> {
    this.removing = true;
    const result = await this.calls.call('webhooks.remove', { id, leaveSecret: this.kept === id });
    this.removing = false;
    this.kept = !result.ok && result.failure.kind === 'keychain' ? id : null;
    this.take(result);
    if (result.ok && this.draft?.id === id) this.draft = null;
    return result.ok;
  }
}

const settingsOf = (draft: WebhookDraft, on: boolean): WebhookSettings => ({
  service: draft.service,
  name: draft.name.trim(),
  on,
  alerts: draft.critical ? 'critical' : 'all',
  amounts: draft.amounts,
  chat: draft.service === 'telegram' ? draft.chat.trim() : '',
});
