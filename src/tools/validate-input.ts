import { Validator } from '@cfworker/json-schema';
import type { Schema } from '@cfworker/json-schema';
import type { JsonObject, JsonSchema } from '../protocol/json.ts';
import { isObject } from '../protocol/json.ts';
import { mostSimilar } from '../util/similar.ts';
import { coerceInput, isRequired } from './coerce-input.ts';
import type { Tool } from './define.ts';
import { expectation, problemSentence } from './describe-problem.ts';

/** Input that a tool may run with, or one sentence that names the argument, what is wrong and what is expected. */
export type ValidatedInput = { readonly input: JsonObject } | { readonly problem: string };

/** Checks the input of a call against the tool's schema. */
export type InputValidator = (tool: Pick<Tool, 'spec' | 'argumentAliases' | 'otherInputs'>, input: JsonObject) => ValidatedInput;

/**
 * Makes the central check of inputs: other names of arguments are replaced, harmless slips put right, unknown arguments
 * refused, then the schema decides. Each schema is prepared once. A tool's `otherInputs` are tried where its own schema
 * refuses.
 */
export function createInputValidator(): InputValidator {
  const prepared = new WeakMap<JsonSchema, Validator>();
  const validatorOf = (schema: JsonSchema): Validator => {
    const known = prepared.get(schema);
    if (known !== undefined) return known;
    const made = new Validator(asSchema(schema), '2020-12');
    prepared.set(schema, made);
    return made;
  };
  return (tool, given) => {
    const tryForm = (schema: JsonSchema): ValidatedInput => checkForm({ tool, schema, given, validator: validatorOf(schema) });
    const main = tryForm(tool.spec.input_schema);
    if ('input' in main) return main;
    const others = (tool.otherInputs ?? []).map((schema) => ({ schema, result: tryForm(schema) }));
    const fitting = others.find(({ result }) => 'input' in result);
    const meant = others.find(({ schema }) => hasRequired(schema, given) && !hasRequired(tool.spec.input_schema, given));
    return fitting?.result ?? meant?.result ?? main;
  };
}

function checkForm(form: {
  readonly tool: Parameters<InputValidator>[0];
  readonly schema: JsonSchema;
  readonly given: JsonObject;
  readonly validator: Validator;
}): ValidatedInput {
  const { tool, schema, given, validator } = form;
  const { name } = tool.spec;
  const renamed = renameArguments(given, schema, tool.argumentAliases ?? {});
  if ('problem' in renamed) return { problem: `${name}: ${renamed.problem}.` };
  const input = coerceInput(renamed.input, schema);
  const unknown = Object.keys(input).find((key) => !isKnown(schema, key));
  if (unknown !== undefined) return { problem: `${name} has no argument "${unknown}"${suggestion(unknown, schema)}.` };
  const missing = requiredOf(schema).find((key) => input[key] === undefined);
  if (missing !== undefined) return { problem: `${name} needs the argument "${missing}" (${expectation(schema, ['properties', missing])}).` };
  const result = validateSafely(validator, input);
  if (result === undefined) return { problem: `${name}: a key holds half a character; write it as plain text.` };
  return result.valid ? { input } : { problem: `${name}: ${problemSentence(schema, input, result.errors)}.` };
}

/** Undefined for keys with half a surrogate pair, which the validator cannot name. */
function validateSafely(validator: Validator, input: JsonObject): ReturnType<Validator['validate']> | undefined {
  try {
    return validator.validate(input);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function renameArguments(
  given: JsonObject,
  schema: JsonSchema,
  aliases: Readonly<Record<string, string>>,
): { readonly input: JsonObject } | { readonly problem: string } {
  const known = namesOf(schema);
  const entries: [string, JsonObject[string]][] = [];
  for (const [key, value] of Object.entries(given)) {
    const name = known.includes(key) ? key : (known.find((other) => other === aliases[key] || fold(other) === fold(key)) ?? key);
    if (name !== key && Object.hasOwn(given, name)) return { problem: `"${key}" is another name of "${name}", and both are given: give one` };
    entries.push([name, value]);
  }
  return { input: Object.fromEntries(entries) };
}

function suggestion(unknown: string, schema: JsonSchema): string {
  const [nearest] = mostSimilar(unknown, namesOf(schema), 1);
  if (nearest !== undefined) return `; "${nearest}" is meant, perhaps`;
  return namesOf(schema).length === 0 ? '; it takes none' : `; it takes ${namesOf(schema).join(', ')}`;
}

function namesOf(schema: JsonSchema): readonly string[] {
  return isObject(schema['properties']) ? Object.keys(schema['properties']) : [];
}

function requiredOf(schema: JsonSchema): readonly string[] {
  return namesOf(schema).filter((name) => isRequired(schema, name));
}

function hasRequired(schema: JsonSchema, given: JsonObject): boolean {
  return requiredOf(schema).every((name) => Object.hasOwn(given, name));
}

/** Schemas that leave the matter open know no other arguments; those that speak of it decide themselves. */
function isKnown(schema: JsonSchema, key: string): boolean {
  const isOpen = ['additionalProperties', 'patternProperties', '$ref', 'allOf', 'anyOf', 'oneOf'].some((word) => schema[word] !== undefined && schema[word] !== false);
  return isOpen || schema['properties'] === undefined || namesOf(schema).includes(key);
}

/** `filePath`, `file-path` and `file_path` are one name. */
function fold(name: string): string {
  const folded = name.toLowerCase().replace(/[_-]/g, '');
  return folded.length > 1 ? folded : name;
}

function asSchema(schema: JsonSchema): Schema {
  return isSchema(schema) ? schema : {};
}

/** Any object may stand for a schema: words that the validator does not know have no effect. */
function isSchema(value: unknown): value is Schema {
  return isObject(value);
}
