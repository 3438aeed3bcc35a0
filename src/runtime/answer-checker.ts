import { Validator } from '@cfworker/json-schema';
import { messageOf } from '../protocol/errors.ts';
import type { JsonObject } from '../protocol/json.ts';
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
    const { valid, errors } = validator.validate(value);
    if (valid) return undefined;
    const problems = errors.slice(-SHOWN_PROBLEMS).map((each) => `${each.instanceLocation}: ${each.error}`).join(' ');
    return `The answer does not fit the schema that was asked for: ${problems} Answer again with the JSON alone.`;
  };
}
