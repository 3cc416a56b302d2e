/** A record with the key its table row is known by. */
export interface Keyed<R> {
  readonly key: string;
  readonly record: R;
}

/** Keys that are unique even where an exchange repeats an id, which would otherwise break the whole table. */
export function keyed<R>(records: readonly R[], keyOf: (record: R) => string): Keyed<R>[] {
  const seen = new Map<string, number>();
  return records.map((record) => {
    const id = keyOf(record);
    const before = seen.get(id) ?? 0;
    seen.set(id, before + 1);
    return { key: before === 0 ? id : `${id} (${before + 1})`, record };
  });
}
