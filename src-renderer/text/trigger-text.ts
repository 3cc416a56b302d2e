/** Writes a trigger price type: `MARK_PRICE` as Mark price; a name of another form as received. */
export function triggerText(type: string): string {
  if (!/^[A-Z]+(?:_[A-Z]+)*$/.test(type)) return type;
  const words = type.replaceAll('_', ' ').toLowerCase();
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** Returns short labels of trigger types: `MARK_PRICE` as Mark, or as received where two would read the same. */
export function triggerLabels(types: readonly string[]): readonly string[] {
  const short = types.map((one) => {
    const word = one.replace(/_PRICE$/, '').replaceAll('_', ' ');
    return `${word.slice(0, 1)}${word.slice(1).toLowerCase()}`;
  });
  return types.map((one, index) => {
    const label = short[index] ?? one;
    return label === '' || short.filter((other) => other === label).length > 1 ? one : label;
  });
}

/** Returns the trigger type a take profit or stop loss starts with: the mark, which no single trade moves. */
export const usualTrigger = (types: readonly string[]): string =>
  types.find((one) => one.startsWith('MARK')) ?? types[0] ?? '';

export const NO_TRIGGER_TYPES =
  'The exchange API does not list its trigger types. Add them in Settings › Connections.';
