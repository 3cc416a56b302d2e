/**
 * Finds the account an export reads: as the arguments spell it, or as a connection of Ballast. Only reads the profile,
 * which a running app may have open. The secret comes from the environment or the keychain.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type * as v from 'valibot';
import { readTextIfPresent } from '../../src-files/text-file.ts';
import type { ConnectionSettings, SecretInput } from '../../src-shared/ipc/connections.ts';
import { blocked, done, failed, type Failure, type Result } from '../../src-shared/ipc/failures.ts';
import type { ArchiveOptions } from '../archive/archive.ts';
import { accountOf, addressOf } from '../session/account.ts';
import { FIRST_SESSION, type StoredConnection, storedSessionSchema } from '../session/stored.ts';
import { Keychain } from '../vault/keychain.ts';
import { keychainThread } from '../vault/keychain-thread.ts';
import { fromItem, isFor, keychainAccount } from '../vault/secret-item.ts';
import { EMPTY_INDEX, openSecretIndex, secretIndexSchema } from '../vault/secret-index.ts';
import { Vault } from '../vault/vault.ts';
import { type ExportOptions, type TypedAccount, UsageError } from './options.ts';
import { checkedJson } from '../../src-shared/checked-json.ts';

export interface ExportAccess {
  readonly settings: Pick<ConnectionSettings, 'baseUrl' | 'apiKey' | 'signing' | 'profit'>;
  readonly secret: SecretInput;
  readonly archive: Pick<ArchiveOptions, 'file' | 'connectionId' | 'account'>;
  /** What tax tools call it. */
  readonly name: string;
}

/** Who started the export: gets reports of what it waits for, and may interrupt it. */
export interface ExportUser {
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Throws UsageError if there is no connection of that name. */
export function accessOf(
  options: ExportOptions,
  profile: string,
  user: ExportUser,
): Promise<Result<ExportAccess>> {
  return options.source.from === 'connection'
    ? ofConnection(options, options.source.name, profile, user)
    : ofArguments(options, options.source, user);
}

/** The keychain may ask for its password, for two minutes at most. */
function keychainFor({ report, signal }: ExportUser): Keychain {
  const keychain = new Keychain({ spawn: keychainThread });
  keychain.onState(({ state, message }) => {
    if (state === 'waiting') report(message);
  });
  signal.addEventListener('abort', () => keychain.stop());
  return keychain;
}

async function ofConnection(
  { archive }: ExportOptions,
  name: string,
  profile: string,
  user: ExportUser,
): Promise<Result<ExportAccess>> {
  const connections = await profileFile(profile, 'connections.json', storedSessionSchema, FIRST_SESSION);
  const index = await profileFile(profile, 'secrets-index.json', secretIndexSchema, EMPTY_INDEX);
  if (!connections.ok) return connections;
  if (!index.ok) return index;
  const { id, settings } = named(connections.data.connections, name);
  const keychain = keychainFor(user);
  try {
    // The vault's own rules hold: a secret withheld after a restore is not used here either.
    const vault = new Vault({
      keychain,
      index: await openSecretIndex({
        read: () => Promise.resolve(index.data),
        write: () => Promise.resolve(),
      }),
    });
    const account = accountOf(settings);
    const { secret, message } = await vault.read(id, account.address);
    if (secret === null) return failed(noSecret(message));
    const file = archive ?? exportArchive(profile, id);
    return done({
      settings,
      secret,
      archive: { file, connectionId: `export-${id}`, account },
      name: settings.name,
    });
  } finally {
    keychain.stop();
  }
}

function named(connections: readonly StoredConnection[], name: string): StoredConnection {
  const found = connections.find(({ settings }) => settings.name === name);
  if (found !== undefined) return found;
  if (name === 'Practice')
    throw new UsageError('--connection: the practice exchange runs inside the app; export it in the window');
  const names = connections.map(({ settings }) => settings.name).join(', ');
  throw new UsageError(
    `--connection: Ballast has no connection “${name}”${names === '' ? '' : `; it has ${names}`}`,
  );
}

/** Reads a file the running app may replace at any time, and changes nothing: the app deals with a damaged one. */
async function profileFile<S extends v.GenericSchema>(
  profile: string,
  name: string,
  schema: S,
  fallback: v.InferOutput<S>,
): Promise<Result<v.InferOutput<S>>> {
  const path = join(profile, name);
  const unusable = (why: string, next: string): Failure => ({
    kind: 'file',
    message: `${path} ${why}.`,
    next,
    field: 'profile',
  });
  let text: string | null;
  try {
    text = await readTextIfPresent(path);
  } catch {
    return failed(unusable('cannot be read', 'Allow reading it, or name the profile folder by --profile.'));
  }
  if (text === null) return done(fallback);
  const found = checkedJson(schema, text);
  if (found !== null) return done(found);
  return failed(unusable('is damaged, or of another version', 'Open this version of Ballast once.'));
}

async function ofArguments(
  { archive, out }: ExportOptions,
  { baseUrl, key, secret, headers, signing }: TypedAccount,
  user: ExportUser,
): Promise<Result<ExportAccess>> {
  const found =
    secret.from === 'environment'
      ? done({ secret: secret.value, headers: {} })
      : await item(secret.id, baseUrl, user);
  if (!found.ok) return found;
  return done({
    settings: { baseUrl, apiKey: key, signing },
    secret: { secret: found.data.secret, headers: { ...found.data.headers, ...headers } },
    archive: { file: archive ?? `${out}.archive.sqlite`, connectionId: accountId(baseUrl, key) },
    name: new URL(baseUrl).hostname,
  });
}

/** Identifies the account. An archive belongs to one account: opening a file of another fails. */
const accountId = (baseUrl: string, key: string): string =>
  `export-${createHash('sha256').update(`${baseUrl}\n${key}`).digest('hex').slice(0, 24)}`;

/** Reads the keychain item of a connection by its id, for this base URL. */
async function item(id: string, baseUrl: string, user: ExportUser): Promise<Result<SecretInput>> {
  const keychain = keychainFor(user);
  try {
    const result = await keychain.get(keychainAccount(id));
    if (!result.ok) return failed(noSecret(result.message));
    const found = typeof result.value === 'string' ? fromItem(result.value) : null;
    if (found === null)
      return blocked(`The keychain has no secret for the connection ${id}, or is locked.`, ENTER_SECRET);
    return isFor(found, addressOf({ baseUrl }))
      ? done(found.secret)
      : blocked(`The secret of the connection ${id} was entered for another base URL.`, ENTER_SECRET);
  } finally {
    keychain.stop();
  }
}

const ENTER_SECRET = 'Open Ballast, choose the connection and enter its secret, or use --secret-env.';
const noSecret = (message: string): Failure => ({ kind: 'keychain', message, next: ENTER_SECRET });

/**
 * Returns the archive the exports of a connection fill, beside the one of the app.
 * @param name the base name of the connection's files
 */
export const exportArchive = (profile: string, name: string): string =>
  join(profile, 'exports', `${name}.sqlite`);
