import type { JsonObject, JsonSchema } from '../protocol/json.ts';
import { isObject } from '../protocol/json.ts';
import { asJson } from './as-json.ts';
import type { AnyEndpoint } from '../api/endpoint.ts';

const ERROR = { type: 'object', properties: { error: { type: 'string' }, code: { type: 'string' } }, required: ['error', 'code'] };
const REFUSED = { description: 'Refused or failed.', content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
const LOGIN_KIND = { type: 'object', properties: { kind: { type: 'string', enum: ['token', 'password', 'proxy'] } }, required: ['kind'] };
const LOGIN = { type: 'object', properties: { token: { type: 'string' }, name: { type: 'string' }, password: { type: 'string' } } };

/** The document of the API (OpenAPI 3.1), made of the endpoints themselves. */
export function openApi(endpoints: readonly AnyEndpoint[], version: string): JsonObject {
  const paths: Record<string, Record<string, object>> = {
    '/health': { get: { summary: 'Says that the server is up.', security: [], responses: { 200: { description: 'It is up.' } } } },
    '/ready': { get: { summary: 'Says whether requests should be sent to this server now.', security: [], responses: { 200: { description: 'They should.' }, 503: { description: 'It is about to end, or its store cannot be reached.' } } } },
    '/api/login': {
      get: { summary: 'Says what one logs in with: the token of the server, name and password, or nothing, where a proxy says who one is.', security: [], responses: { 200: { description: 'What it takes.', content: { 'application/json': { schema: LOGIN_KIND } } } } },
      post: { summary: 'Logs in: gives the cookie. Send {token}, or {name, password}.', security: [], requestBody: { required: true, content: { 'application/json': { schema: LOGIN } } }, responses: { 200: { description: 'The cookie is set.' }, default: REFUSED } },
    },
    '/api/logout': { post: { summary: 'Logs out: takes the cookie away.', security: [], responses: { 200: { description: 'Done.' } } } },
    '/openapi.json': { get: { summary: 'This document.', responses: { 200: { description: 'The document.' } } } },
  };
  for (const one of endpoints) {
    const path = one.path.replaceAll(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}');
    paths[path] = { ...paths[path], [one.method.toLowerCase()]: operation(one, path) };
  }
  return asJson({
    openapi: '3.1.0',
    info: { title: 'skillmint', version, description: 'Runs Agent Skills (SKILL.md folders) with any model, safely.' },
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } }, schemas: { Error: ERROR } },
    paths,
  });
}

function operation({ method, summary, query, body, bytes, status = 200, answer, answerType = 'application/json' }: AnyEndpoint, path: string): object {
  const [querySchema, bodySchema] = [query.json, body.json];
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  const takesJson = method !== 'GET' && Object.keys(propertiesOf(bodySchema)).length > 0;
  return {
    summary,
    parameters: [...named, ...queryParameters(querySchema)],
    ...(takesJson || bytes ? { requestBody: { required: requiredOf(bodySchema).length > 0 || bytes !== undefined, content: { ...(takesJson ? { 'application/json': { schema: bodySchema } } : {}), ...(bytes ? { [bytes.type]: { schema: { type: 'string', format: 'binary' } } } : {}) } } } : {}),
    responses: {
      [status]: { description: 'Done.', content: { [answerType]: { schema: answer.json } } },
      default: REFUSED,
    },
  };
}

function queryParameters(schema: JsonSchema): readonly object[] {
  const required = requiredOf(schema);
  return Object.entries(propertiesOf(schema)).map(([name, json]) => ({ name, in: 'query', required: required.includes(name), schema: json }));
}

function propertiesOf({ properties }: JsonSchema): Record<string, unknown> {
  return isObject(properties) ? properties : {};
}

function requiredOf({ required }: JsonSchema): readonly unknown[] {
  return Array.isArray(required) ? required : [];
}
