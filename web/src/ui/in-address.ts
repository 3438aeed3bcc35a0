/** A text as one part of an address of the interface. Percent signs are encoded twice, since the router decodes once before the page does. */
export function inAddress(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD').replaceAll('%', '%25'));
}
