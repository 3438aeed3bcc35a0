/** Text files beside the code, bundled as strings. */
declare module '*.md' {
  const text: string;
  export default text;
}
