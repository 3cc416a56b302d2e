/** An icon's SVG elements. The package types only its list of all icons. */
declare module 'lucide/dist/esm/icons/*.mjs' {
  const shapes: readonly (readonly [tag: string, attributes: Readonly<Record<string, string | number>>])[];
  export default shapes;
}
