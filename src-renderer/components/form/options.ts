/** What can be chosen in a Select or a Segmented control. */
export interface Option<V extends string | number = string | number> {
  readonly value: V;
  readonly label: string;
  readonly disabled?: boolean;
}

/** Labels by value; or a list, where there is more to say than labels. A value alone in a list is its own label. */
export type Options<O extends Option> = Readonly<Record<O['value'], string>> | readonly (O['value'] | O)[];

const isList = <O extends Option>(options: Options<O>): options is readonly (O['value'] | O)[] =>
  Array.isArray(options);

/** Returns the options as a list; labels in the order they were written. */
export const optionList = <O extends Option>(options: Options<O>): readonly (O | Option<O['value']>)[] =>
  isList(options)
    ? options.map((one) => (typeof one === 'object' ? one : { value: one, label: String(one) }))
    : (Object.entries(options) as [O['value'], string][]).map(([value, label]) => ({ value, label }));
