/** A sentence, or the rest of one, that says when a skill is not meant. */
const EXCLUSION =
  /(?:\bNOT (?:for|to be used|use|when|intended)\b|\b[Dd]o not (?:use|trigger|activate|load|apply|invoke)\b|\bDO NOT\b|\b[Dd]on['’]t (?:use|trigger)\b|\b[Nn]ot (?:for|intended)\b|\b[Ss]kip (?:for|if|when)\b)[^.;]*(?:[.;](?=\S)[^.;]*)*[.;]?/g;

/** A description without what it says the skill is not for ("NOT for scanned files"): such words would lead to the wrong skill. */
export function withoutExclusions(description: string): string {
  return /\b(?:not|don['’]t|skip)\b/i.test(description) ? description.replace(EXCLUSION, ' ') : description;
}
