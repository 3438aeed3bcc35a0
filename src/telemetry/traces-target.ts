import { SkillmintError } from '../protocol/errors.ts';

/** Variables of the environment. */
export type Env = Readonly<Record<string, string | undefined>>;

/** What the standard variables of OpenTelemetry say. */
export interface TracesTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: Readonly<Record<string, string>>;
}

/**
 * Where spans are to go: `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`, or `/v1/traces` below `OTEL_EXPORTER_OTLP_ENDPOINT`, with
 * `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`; nowhere where none is set, or
 * `OTEL_SDK_DISABLED` or `OTEL_TRACES_EXPORTER=none` says so. @throws SkillmintError config_invalid for what cannot be understood
 */
export function tracesTarget(env: Env): TracesTarget | undefined {
  const read = (name: string): string | undefined => env[name]?.trim() || undefined;
  const exact = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  const base = read('OTEL_EXPORTER_OTLP_ENDPOINT');
  if ((exact ?? base) === undefined || read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' || read('OTEL_TRACES_EXPORTER') === 'none') return undefined;
  const url = exact === undefined ? `${addressIn('OTEL_EXPORTER_OTLP_ENDPOINT', base).replace(/\/+$/, '')}/v1/traces` : addressIn('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', exact);
  const form = read('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? read('OTEL_EXPORTER_OTLP_PROTOCOL') ?? 'http/json';
  if (form === 'grpc') throw new SkillmintError('config_invalid', 'OTEL_EXPORTER_OTLP_PROTOCOL is grpc; spans are sent over HTTP only. Set it to http/json and give the port for HTTP, usually 4318.');
  const headersName = read('OTEL_EXPORTER_OTLP_TRACES_HEADERS') === undefined ? 'OTEL_EXPORTER_OTLP_HEADERS' : 'OTEL_EXPORTER_OTLP_TRACES_HEADERS';
  const name = read('OTEL_SERVICE_NAME');
  return {
    url,
    headers: pairsIn(headersName, read(headersName)),
    resource: { ...pairsIn('OTEL_RESOURCE_ATTRIBUTES', read('OTEL_RESOURCE_ATTRIBUTES')), ...(name === undefined ? {} : { 'service.name': name }) },
  };
}

function addressIn(variable: string, value = ''): string {
  const url = URL.parse(value);
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new SkillmintError('config_invalid', `${variable} is no address of HTTP: give one such as http://127.0.0.1:4318`);
  return value;
}

/** `a=1,b=2`, the values percent-encoded. */
function pairsIn(variable: string, value = ''): Record<string, string> {
  return Object.fromEntries(value.split(',').map((pair) => pair.trim()).filter((pair) => pair !== '').map((pair) => {
    const at = pair.indexOf('=');
    if (at < 1) throw new SkillmintError('config_invalid', `${variable} has to be NAME=VALUE pairs with commas between them.`);
    return [pair.slice(0, at).trim(), decoded(variable, pair.slice(at + 1).trim())];
  }));
}

function decoded(variable: string, text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new SkillmintError('config_invalid', `A value in ${variable} is not percent-encoded as it has to be.`, { cause });
  }
}
