import fs from 'node:fs';
import { createRequire } from 'node:module';
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { Validator, type Schema } from '@cfworker/json-schema';
import { isObject } from '../../src/protocol/json.ts';

const SCHEMA: Schema = JSON.parse(fs.readFileSync(createRequire(import.meta.url).resolve('@agentclientprotocol/sdk/schema/v1/schema.json'), 'utf8'));
const DEFINITIONS: Readonly<Record<string, Schema>> = SCHEMA.$defs ?? {};
const validators = new Map<string, Validator>();

/** What is wrong with a value, by the schema of the protocol. */
function problems(name: string, value: unknown): readonly string[] {
  const known = validators.get(name) ?? new Validator({ $ref: `#/$defs/${name}`, $defs: DEFINITIONS }, '2020-12', false);
  validators.set(name, known);
  const { valid, errors } = known.validate(value);
  // Only what is stable is sent: the schema itself lets everything else pass.
  const { properties } = DEFINITIONS[name] ?? {};
  const unknown = isObject(value) && properties ? Object.keys(value).filter((key) => !(key in properties)) : [];
  if (valid && unknown.length > 0 && name !== 'CreateElicitationRequest') return [`${name}: ${unknown.join(', ')} is not in the schema`];
  return valid ? [] : [`${name}: ${errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`).join('; ')}: ${JSON.stringify(value)}`];
}

/** The definition for the params or the result of a method. */
function definitionOf(method: string, end: 'Request' | 'Notification' | 'Response'): string {
  const found = Object.entries(DEFINITIONS).find(([name, schema]) => name.endsWith(end) && schema['x-method'] === method);
  if (!found) throw new Error(`the schema has no ${end} for ${method}`);
  return found[0];
}

/** The same stream; whatever the agent sends is checked against the schema of the protocol, and what is wrong is put into `wrong`. */
export function checked({ readable, writable }: Stream, wrong: string[]): Stream {
  const methods = new Map<unknown, string>();
  const writer = writable.getWriter();
  const check = (message: AnyMessage): void => {
    if ('method' in message) wrong.push(...problems(definitionOf(message.method, 'id' in message ? 'Request' : 'Notification'), message.params));
    else if ('result' in message) wrong.push(...problems(definitionOf(methods.get(message.id) ?? '', 'Response'), message.result));
    else wrong.push(...problems('Error', 'error' in message ? message.error : undefined));
  };
  return {
    writable: new WritableStream<AnyMessage>({
      write(message) {
        if ('method' in message && 'id' in message) methods.set(message.id, message.method);
        return writer.write(message);
      },
      close: () => writer.close(),
      abort: (reason) => writer.abort(reason),
    }),
    readable: readable.pipeThrough(new TransformStream<AnyMessage, AnyMessage>({
      transform(message, controller) {
        check(message);
        controller.enqueue(message);
      },
    })),
  };
}

/** Lines of standard output that are no message of the protocol. */
export function strayLines(output: string): readonly string[] {
  return output.split('\n').filter((line) => line !== '' && !isMessage(line));
}

function isMessage(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) && value['jsonrpc'] === '2.0';
  } catch {
    // It is no JSON.
    return false;
  }
}
