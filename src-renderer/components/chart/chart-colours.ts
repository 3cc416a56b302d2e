/** The theme's colours as computed values, which a canvas needs. */
export type ChartColours = Readonly<
  Record<
    | 't1'
    | 't2'
    | 't3'
    | 'accent'
    | 'accentWeak'
    | 'grid'
    | 'axis'
    | 'up'
    | 'down'
    | 'warn'
    | 'danger'
    | 's1'
    | 's2'
    | 's3',
    string
  >
>;
