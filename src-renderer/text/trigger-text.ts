/** Writes a trigger price type: `MARK_PRICE` as Mark price; a name of another form as received. */
export function triggerText(type: string): string {
  if (!/^[A-Z]+(?:_[A-Z]+)*$/.test(type)) return type;
  const words = type.replaceAll('_', ' ').toLowerCase();
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
