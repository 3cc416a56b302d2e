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

/** Returns each record's unique key, for a table whose rows are the records themselves. */
export function keysOf<R>(records: readonly R[], keyOf: (record: R) => string): (record: R) => string {
  const keys = new Map(keyed(records, keyOf).map(({ key, record }) => [record, key]));
  return (record) => keys.get(record) ?? keyOf(record);
}
