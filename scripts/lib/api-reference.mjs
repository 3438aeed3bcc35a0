import fs from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

/** The parts of the API, in the order in which a reader needs them: the module, its table, a title, a sentence. */
const PARTS = [
  ['session', 'Sessions', ''],
  ['turn', 'Turns', ''],
  ['skill', 'Skills', ''],
  ['evaluation', 'Evaluation and enhancement of skills', 'For administrators: [evaluation.md](evaluation.md), [enhancement.md](enhancement.md).'],
  ['settings', 'Settings, models, usage', ''],
  ['mcp', 'MCP servers of settings and projects', ''],
  ['memory', 'Memory', ''],
  ['server', 'The server', ''],
  ['audit', 'The audit log', ''],
  ['sidecar', 'For host applications', 'With `skillmint sidecar` there are these alone; `skillmint serve` has them, too.'],
];

const HEAD = `# The API

Every endpoint of \`skillmint serve\`, made by \`npm run docs\` from the tables that the server checks requests with. The same is at
\`GET /openapi.json\` as OpenAPI 3.1. [server.md](server.md) says who is let in; [embedding.md](embedding.md) has programs that use it.

- Requests carry \`Authorization: Bearer TOKEN\`; bodies and answers are JSON unless it says otherwise.
- \`client.NAME\` is the method of [\`skillmint/client\`](embedding.md#over-http): \`client.NAME({ id, query, body })\` with the parts of
  the path by their names.
- An error is \`{"error": "one sentence", "code": "…"}\` with a status of 400 or more.
- \`?\` marks what may be left out. A key that is not listed is refused.
- \`GET /health\` needs no token and answers \`{"status": "ok", "uptime": SECONDS}\`; \`POST /api/login\` changes the token for a cookie,
  \`POST /api/logout\` takes it back.
`;

/** The reference as Markdown, from the TypeScript source. */
export async function apiReference() {
  const { API, ...tables } = await endpointTables();
  const listed = PARTS.flatMap(([name, title, sentence]) => (tables[name] ? [[title, sentence, tables[name]]] : []));
  const missing = Object.keys(API).filter((name) => !listed.some(([, , table]) => name in table));
  if (missing.length > 0) throw new Error(`scripts/lib/api-reference.mjs lists no part with ${missing.join(', ')}`);
  const parts = listed.map(([title, sentence, table]) => [`## ${title}`, ...(sentence ? [sentence] : []), ...Object.entries(table).map(([name, endpoint]) => endpointText(name, endpoint))].join('\n\n'));
  return `${[HEAD.trimEnd(), ...parts].join('\n\n')}\n`;
}

/** The tables by the name of their module. */
async function endpointTables() {
  const entry = 'api-tables';
  const folder = path.resolve('src/api');
  const names = fs.readdirSync(folder).filter((file) => file.endsWith('-endpoints.ts')).map((file) => file.replace('-endpoints.ts', ''));
  const code = [`export { API } from ${JSON.stringify(path.join(folder, 'api.ts'))};`, ...names.map((name) => `export { ${name.toUpperCase()}_ENDPOINTS as ${name} } from ${JSON.stringify(path.join(folder, `${name}-endpoints.ts`))};`)].join('\n');
  const bundle = await rolldown({ input: entry, plugins: [{ name: entry, resolveId: (id) => (id === entry ? id : undefined), load: (id) => (id === entry ? code : undefined) }] });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  return import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
}

function endpointText(name, { method, path: at, summary, query, body, bytes, status = 200, answer, answerType, admin }) {
  const rows = [...fields('query', query.json), ...(method === 'GET' ? [] : fields('body', body.json))];
  const table = rows.length === 0 ? [] : [['| | key | type | |', '| --- | --- | --- | --- |', ...rows].join('\n')];
  return [
    `### ${name}`,
    `\`${method} ${at}\``,
    `${summary}${admin ? ' Administrators only.' : ''}`,
    ...table,
    ...(bytes ? [`Takes a body of \`${bytes.type}\`, up to ${bytes.most / 1_048_576} MiB, too.`] : []),
    `Answers ${status}${answerType === undefined ? `: \`${typeText(answer.json)}\`` : ` with \`${answerType}\``}.${answerType === undefined ? notesOf(answer.json) : ''}`,
  ].join('\n\n');
}

function fields(place, { properties = {}, required = [] }) {
  return Object.entries(properties).map(([key, schema]) => `| ${place} | \`${key}${required.includes(key) ? '' : '?'}\` | ${codeOf(typeText(schema))} | ${schema.description ?? ''} |`);
}

/** Code within a table, whose bars would part cells. */
function codeOf(text) {
  return `\`${text.replaceAll('|', '\\|')}\``;
}

/** A schema in the way that types are written. */
function typeText(schema) {
  const { type, enum: words, items, properties, required = [] } = schema;
  if (words) return words.map((word) => JSON.stringify(word)).join(' | ');
  if (type === 'array') return /[ |]/.test(typeText(items)) && !typeText(items).startsWith('{') ? `(${typeText(items)})[]` : `${typeText(items)}[]`;
  if (type === 'object' && properties) {
    const inner = Object.entries(properties).map(([key, each]) => `${key}${required.includes(key) ? '' : '?'}: ${typeText(each)}`);
    return inner.length === 0 ? '{}' : `{ ${inner.join(', ')} }`;
  }
  return type ?? 'any JSON';
}

/** What the answer's keys mean, where that is said. */
function notesOf({ properties = {}, description }) {
  if (description !== undefined) return ` ${description}`;
  const notes = Object.entries(properties).flatMap(([key, schema]) => {
    const said = schema.description ?? schema.items?.description;
    return said ? [`\`${key}\`: ${said}`] : [];
  });
  return notes.length === 0 ? '' : ` ${notes.join(' ')}`;
}
