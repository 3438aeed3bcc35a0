const DECLINED = /\b(?:without|instead of|rather than|except for|(?:don['’]t|do not|doesn['’]t|does not) (?:need|want)|no need (?:for|to))\b[^,.;:!?\n—]*/gi;

/** A question without the parts that say what is not wanted ("without a database", "I don't need a chart"). */
export function withoutDeclined(text: string): string {
  return text.replace(DECLINED, ' ');
}
