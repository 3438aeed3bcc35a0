/** What an address gave. */
export type Page =
  | TextPage
  /** A picture or a PDF document. */
  | { readonly kind: 'media'; readonly url: string; readonly mediaType: string; readonly bytes: Uint8Array }
  /** It leads to another host, and nothing was fetched from there. */
  | { readonly kind: 'redirect'; readonly url: string; readonly to: string; readonly status: number; readonly why: string }
  /** It cannot be shown; `excerpt` is what it says itself. */
  | { readonly kind: 'problem'; readonly message: string; readonly excerpt?: string };

/** A page as text. */
export interface TextPage {
  readonly kind: 'text';
  /** After redirects. */
  readonly url: string;
  readonly mediaType: string;
  readonly title?: string;
  readonly text: string;
  /** What is to be known about the text, one sentence each. */
  readonly notes: readonly string[];
}
