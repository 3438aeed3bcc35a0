import { Validator } from '@cfworker/json-schema';
import { messageOf, SkillmintError } from '../../protocol/errors.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { unfenced } from './run-live-turn.ts';

const SHOWN_PROBLEMS = 3;

/** Checks a final answer against a schema: what is wrong with it, in words for the model, or nothing. */
export function answerChecker(schema: JsonObject): (text: string) => string | undefined {
  const validator = new Validator(schema, '2020-12', false);
  return (text) => {
    let value: unknown;
    try {
      value = JSON.parse(unfenced(text));
    } catch (error) {
      return `The answer must be JSON and nothing else; this is none: ${messageOf(error)} Answer again with the JSON alone.`;
    }
    const result = validateSafely(validator, value);
    if ('problem' in result) return result.problem;
    if (result.valid) return undefined;
    const problems = result.errors.slice(-SHOWN_PROBLEMS).map((each) => `${each.instanceLocation}: ${each.error}`).join(' ');
    return `The answer does not fit the schema that was asked for: ${problems} Answer again with the JSON alone.`;
  };
}

/** @throws SkillmintError invalid_argument for a schema that nothing can be checked against */
export function checkSchema(schema: JsonObject): void {
  try {
    new Validator(schema, '2020-12', false).validate(null);
  } catch (error) {
    throw new SkillmintError('invalid_argument', `The output schema cannot be used: ${messageOf(error)}`, { cause: error });
  }
}

/** The validator cannot name keys with half a surrogate pair, and throws. */
function validateSafely(validator: Validator, value: unknown): ReturnType<Validator['validate']> | { readonly problem: string } {
  try {
    return validator.validate(value);
  } catch (error) {
    return { problem: `The answer cannot be checked: ${messageOf(error)} Answer again with plain text in all keys.` };
  }
}
