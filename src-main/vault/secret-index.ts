/**
 * Lists on disk which connections have a secret in the keychain, by id. A listed id without an item means locked or
 * missing, which the keychain cannot distinguish. Of a withheld id the keychain may have an item for another address, or
 * of another profile, as after a restore: it is not used until a secret is stored.
 */
import * as v from 'valibot';

const idsSchema = v.array(v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,60}$/)));
export const secretIndexSchema = v.strictObject({
  version: v.literal(1),
  ids: idsSchema,
  withheld: v.exactOptional(idsSchema),
});
type Stored = v.InferOutput<typeof secretIndexSchema>;
export const EMPTY_INDEX: Stored = { version: 1, ids: [] };

export type SecretIndex = Awaited<ReturnType<typeof openSecretIndex>>;

/** @param file replaced atomically at each change, in order */
export async function openSecretIndex(file: {
  read(): Promise<Stored>;
  write(value: Stored): Promise<void>;
}) {
  const { ids: stored, withheld: kept = [] } = await file.read();
  let ids: ReadonlySet<string> = new Set(stored);
  let withheld: ReadonlySet<string> = new Set(kept);
  const save = async (nextIds: ReadonlySet<string>, nextWithheld: ReadonlySet<string>): Promise<void> => {
    const list = nextWithheld.size === 0 ? {} : { withheld: [...nextWithheld] };
    await file.write({ version: 1, ids: [...nextIds], ...list });
    [ids, withheld] = [nextIds, nextWithheld];
  };
  return {
    has: (id: string) => ids.has(id),
    ids: (): readonly string[] => [...ids],
    add: (id: string): Promise<void> =>
      ids.has(id) ? Promise.resolve() : save(new Set([...ids, id]), withheld),
    /** Withholds the id no longer. In this run also where it cannot be written: the keychain has the right item. */
    admit(id: string): Promise<void> {
      if (!withheld.has(id)) return Promise.resolve();
      withheld = without(withheld, [id]);
      return save(ids, withheld);
    },
    /** In this run also where it cannot be written: the keychain has no item. */
    remove(id: string): Promise<void> {
      if (!ids.has(id)) return Promise.resolve();
      ids = without(ids, [id]);
      return save(ids, withheld);
    },
    isWithheld: (id: string) => withheld.has(id),
    /** Lists these ids as withheld, until they are admitted. Returns the function that takes it back. */
    async withhold(of: readonly string[]): Promise<() => Promise<void>> {
      const added = of.filter((id) => !withheld.has(id));
      await save(ids, new Set([...withheld, ...of]));
      return () => {
        // In this run also where the disk, which may be why, takes nothing.
        withheld = without(withheld, added);
        return save(ids, withheld);
      };
    },
  };
}

const without = (ids: ReadonlySet<string>, gone: readonly string[]): ReadonlySet<string> =>
  new Set([...ids].filter((one) => !gone.includes(one)));
