/** For sources that hold no skillpack. */
export async function noPacks(file: string): Promise<never> {
  throw new Error(`${file} was taken for a skillpack`);
}
