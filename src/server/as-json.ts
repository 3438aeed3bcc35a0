import { isJsonObject, parseJson, type JsonObject } from '../protocol/json.ts';

/** A value of the program as it looks on the wire: keys without a value are gone. */
export function asJson(value: object): JsonObject {
  const json = parseJson(JSON.stringify(value));
  if (!isJsonObject(json)) throw new Error('an answer is no JSON object');
  return json;
}
