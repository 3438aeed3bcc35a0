const MAX_NAME = 64;

/**
 * A call id or the name of a called tool as every API takes it. A model may have made up a name with other
 * characters, or the conversation may come from a provider with other ids: sent back as it is, the whole
 * conversation would be refused. The same text always gives the same result, so that calls and results stay paired.
 */
export function wireName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, MAX_NAME) || '_';
}
