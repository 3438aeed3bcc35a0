/** Characters that nothing joins with each other: ASCII, Latin letters, dashes and quotation marks, arrows, boxes, signs. */
const ALONE = /^[ -~¡-¬®-˿‐-‧‰-‾←-⯿]*$/;

/** Splits texts into what a person sees as one character, as `Intl.Segmenter` does. */
export interface Graphemes {
  segment(text: string): Iterable<Intl.SegmentData>;
}

/** The same as `new Intl.Segmenter(undefined, { granularity: 'grapheme' })`, whose tables are loaded with the first text that needs them: they take a third of a start of Node. */
export function graphemes(): Graphemes {
  let tables: Intl.Segmenter | undefined;
  return {
    segment(text) {
      if (ALONE.test(text)) return Array.from(text, (segment, index) => ({ segment, index, input: text }));
      return (tables ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })).segment(text);
    },
  };
}
