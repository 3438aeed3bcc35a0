import { messageOf, SkillmintError } from '../../protocol/errors.ts';
import type { JsonSchema } from '../../protocol/json.ts';
import type { OwnTool, OwnToolContext } from './own-tool.ts';

/** A schema of zod and the like, by the convention of standardschema.dev. It has to be able to tell its JSON Schema. */
export interface SchemaOf<Value> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Checked<Value> | Promise<Checked<Value>>;
    readonly jsonSchema?: { readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown> } | undefined;
    readonly types?: { readonly input: unknown; readonly output: Value } | undefined;
  };
}

type Checked<Value> = { readonly value: Value; readonly issues?: undefined } | { readonly issues: readonly Issue[] };

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A tool whose arguments a schema describes, checks and turns into values. */
export interface DefinedTool<Input> extends Omit<OwnTool, 'call' | 'inputSchema'> {
  readonly inputSchema: SchemaOf<Input>;
  /** As `call` of `OwnTool`, with what the schema makes of the arguments: its types, defaults and transforms. */
  call(input: Input, context: OwnToolContext): Promise<unknown>;
}

/**
 * Makes a tool of one with a schema of zod and the like. The model gets its JSON Schema, and is told what the schema finds wrong.
 * @throws SkillmintError invalid_argument for a schema that is none of an object, or cannot tell its JSON Schema
 */
export function defineTool<Input>(tool: DefinedTool<Input>): OwnTool {
  const standard = tool.inputSchema['~standard'];
  return {
    ...tool,
    inputSchema: jsonSchemaOf(tool.name, standard),
    async call(input, context) {
      const checked = await standard.validate(input);
      if (checked.issues) throw new Error(`the arguments do not fit: ${checked.issues.map(issueText).join('; ')}`);
      return await tool.call(checked.value, context);
    },
  };
}

function jsonSchemaOf(name: string, { vendor, jsonSchema }: SchemaOf<unknown>['~standard']): JsonSchema {
  if (!jsonSchema) throw new SkillmintError('invalid_argument', `The schema of the tool ${name} (${vendor}) cannot tell its JSON Schema. Use zod from 4.2, another library that can, or give a JSON Schema.`);
  const { $schema: _dialect, ...schema } = told(name, jsonSchema);
  if (schema['type'] !== 'object') throw new SkillmintError('invalid_argument', `The schema of the tool ${name} describes no object. Arguments of tools have names: use a schema of an object.`);
  return schema;
}

type Converter = NonNullable<SchemaOf<unknown>['~standard']['jsonSchema']>;

/** Not every schema has a counterpart: there are no dates in JSON, for example. */
function told(name: string, converter: Converter): JsonSchema {
  try {
    return converter.input({ target: 'draft-2020-12' });
  } catch (error) {
    throw new SkillmintError('invalid_argument', `The schema of the tool ${name} has no JSON Schema: ${messageOf(error)}. Use what JSON can hold, with a transform where needed.`, { cause: error });
  }
}

function issueText({ message, path = [] }: Issue): string {
  const at = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
  return at === '' ? message : `${at}: ${message}`;
}
