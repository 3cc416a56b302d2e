const NAMES = [
  ...(['t1', 't2', 't3', 'accent', 'accent-weak', 'grid', 'axis'] as const),
  ...(['up', 'down', 'warn', 'danger', 's1', 's2', 's3'] as const),
] as const;

export type ChartColours = Readonly<Record<(typeof NAMES)[number], string>>;

/** Returns the theme's colours at an element as computed values, which a canvas needs. */
export function coloursAt(node: Element): ChartColours {
  const style = getComputedStyle(node);
  const valueOf = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return Object.fromEntries(NAMES.map((name) => [name, valueOf(name)])) as ChartColours;
}
