/**
 * Lists on disk which connections have a secret in the keychain, by id. A listed id without an item means locked or
 * missing, which the keychain cannot distinguish.
 */
import * as v from 'valibot';

export const secretIndexSchema = v.strictObject({
  version: v.literal(1),
  ids: v.array(v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,60}$/))),
});
type Stored = v.InferOutput<typeof secretIndexSchema>;
export const EMPTY_INDEX: Stored = { version: 1, ids: [] };

export interface SecretIndex {
  has(id: string): boolean;
  add(id: string): Promise<void>;
  remove(id: string): Promise<void>;
}

/** @param file replaced atomically at each change, in order */
export async function openSecretIndex(file: {
  read(): Promise<Stored>;
  write(value: Stored): Promise<void>;
}): Promise<SecretIndex> {
  let ids: ReadonlySet<string> = new Set((await file.read()).ids);
  const save = (next: ReadonlySet<string>): Promise<void> => {
    ids = next;
    return file.write({ version: 1, ids: [...next] });
  };
  return {
    has: (id) => ids.has(id),
    add: (id) => (ids.has(id) ? Promise.resolve() : save(new Set([...ids, id]))),
    remove: (id) => (ids.has(id) ? save(new Set([...ids].filter((one) => one !== id))) : Promise.resolve()),
  };
}
