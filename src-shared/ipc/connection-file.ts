/**
 * Reads and writes a connection as a file for another computer: request and signing settings, without key and secrets.
 */
import * as v from 'valibot';
import { isRecord } from '../exchange-api/fields.ts';
import { connectionSettingsSchema, type ConnectionSettings } from './connections.ts';
import { blocked, done, type Result } from './failures.ts';
import { parseJsonOrNull } from '../json.ts';

const FORMAT = 'ballast-connection';
export const MAX_CONNECTION_FILE = 100_000;
/** Placeholder for the key, so that the connection schema checks the rest. */
const NO_KEY = '-';

/** Leaves out whether the account is in Portfolio, too: each computer's user decides that. */
export function connectionFile({ apiKey: _, portfolio: __, ...settings }: ConnectionSettings): string {
  const headers = settings.signing.headers.map((one) => (one.secret ? { ...one, value: '' } : one));
  const file = {
    format: FORMAT,
    version: 1,
    settings: { ...settings, signing: { ...settings.signing, headers } },
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** Returns the settings with an empty key, or what is wrong with the file, by field path. */
export function readConnectionFile(text: string): Result<ConnectionSettings> {
  const failure = (message: string, next: string, field = 'file') => blocked(message, next, field);
  const file = parseJsonOrNull(text);
  if (!isRecord(file)) return failure('This is not a JSON object.', 'Choose a file exported by Ballast.');
  if (file['format'] !== FORMAT)
    return failure(
      `This is not a Ballast connection file: “format” is not “${FORMAT}”.`,
      'Choose a file exported in Settings › Connections.',
    );
  if (file['version'] !== 1)
    return failure(
      'Unsupported “version”: this Ballast reads version 1 only.',
      'Update Ballast, or export it again.',
    );
  const { settings } = file;
  if (!isRecord(settings)) return failure('The file has no “settings”.', 'Export it again.', 'settings');
  if ('apiKey' in settings)
    return failure('The file contains an API key, which it must not.', 'Remove “apiKey” from it.', 'apiKey');
  const read = v.safeParse(connectionSettingsSchema, { ...settings, apiKey: NO_KEY });
  if (!read.success) {
    const [issue] = read.issues;
    const field = v.getDotPath(issue) ?? 'settings';
    return failure(`“${field}” of the file: ${issue.message}.`, 'Correct it, or export it again.', field);
  }
  const secret = read.output.signing.headers.find((one) => one.secret && one.value !== '');
  if (secret !== undefined)
    return failure(
      `The file contains the value of the secret header “${secret.name}”.`,
      'Remove the value. You enter it after importing.',
      'signing.headers',
    );
  return done({ ...read.output, apiKey: '' });
}
