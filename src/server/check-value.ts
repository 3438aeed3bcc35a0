import { Validator } from '@cfworker/json-schema';
import type { Schema as JsonSchemaForm } from '@cfworker/json-schema';
import { SkillmintError } from '../protocol/errors.ts';
import { isJsonObject, isObject } from '../protocol/json.ts';
import { problemSentence } from '../tools/describe-problem.ts';
import type { Schema } from '../api/schema.ts';

/** Checks what came with a request; each schema is prepared once. */
export interface ValueCheck {
  /** The value, as its schema says. `what` is a word for it: `body`. @throws SkillmintError invalid_argument, with one sentence on what is wrong */
  readonly check: <T>(schema: Schema<T>, value: unknown, what: string) => T;
}

/** Makes the check. */
export function valueCheck(): ValueCheck {
  const prepared = new WeakMap<object, Validator>();
  const validatorOf = ({ json }: Schema<unknown>): Validator => {
    const known = prepared.get(json) ?? new Validator(isForm(json) ? json : {}, '2020-12');
    prepared.set(json, known);
    return known;
  };
  const problemOf = (schema: Schema<unknown>, value: unknown): string | undefined => {
    if (!isJsonObject(value)) return 'it must be a JSON object';
    const { properties } = schema.json;
    const keys = isObject(properties) ? Object.keys(properties) : undefined;
    const unknown = keys && Object.keys(value).find((key) => !keys.includes(key));
    if (keys && unknown !== undefined) return `${JSON.stringify(unknown)} is no key of it${keys.length > 0 ? `; it takes ${keys.join(', ')}` : ', it takes none'}`;
    const result = validate(validatorOf(schema), value);
    if (result === undefined) return 'a key holds half a character';
    return result.valid ? undefined : problemSentence(schema.json, value, result.errors);
  };
  const fits = <T>(schema: Schema<T>, value: unknown, what: string): value is T => {
    const problem = problemOf(schema, value);
    if (problem !== undefined) throw new SkillmintError('invalid_argument', `The ${what} cannot be taken: ${problem}.`);
    return true;
  };
  return {
    check: (schema, value, what) => {
      if (fits(schema, value, what)) return value;
      throw new Error('a value that does not fit was let through');
    },
  };
}

/** Any object may stand for a schema: words that the validator does not know have no effect. */
function isForm(json: unknown): json is JsonSchemaForm {
  return isObject(json);
}

/** Undefined for keys with half a surrogate pair, which the validator cannot name. */
function validate(validator: Validator, value: object): ReturnType<Validator['validate']> | undefined {
  try {
    return validator.validate(value);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
