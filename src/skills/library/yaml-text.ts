/** Texts that YAML reads as themselves without quotes, whatever stands around them. */
const PLAIN = /^\p{L}(?:(?!: | #|:$| $)[\p{L}\p{N} ,.;:()'/+–—!?-])*$/u;
const WITH_MEANING = /^(?:null|true|false|yes|no|on|off|y|n)$/i;

/** A text as the value of a field in frontmatter, quoted where it has to be. */
export function yamlText(text: string): string {
  return PLAIN.test(text) && !WITH_MEANING.test(text) ? text : JSON.stringify(text);
}
