/** Standard output carries a protocol alone: whatever a library wants to say goes to `log`. */
export function keepOutputClean(log: (line: string) => void): void {
  const told = (...said: readonly unknown[]): void => log(said.map(String).join(' '));
  console.log = told;
  console.info = told;
  console.debug = told;
  console.error = told;
}
