/** Trigger types in short: `MARK_PRICE` reads Mark. As received where two would read alike. */
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
