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
