/** The text of a file, included by the build. */
declare module '*?raw' {
  const text: string;
  export default text;
}
