import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isObject, parseJson } from '../../src/protocol/json.ts';
import { FREE, makePlace, oneLineOf, run, withProvider, type Place } from './program.ts';
import { startServer } from './served.ts';

interface Exported {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly string[];
  readonly status: unknown;
}

interface Collector {
  readonly url: string;
  readonly spans: Exported[];
  readonly headers: http.IncomingHttpHeaders[];
}

/** Takes spans as a collector of OpenTelemetry does. */
async function openCollector(status = 200): Promise<Collector> {
  const spans: Exported[] = [];
  const headers: http.IncomingHttpHeaders[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      headers.push(request.headers);
      if (request.url === '/v1/traces') spans.push(...spansOf(parseJson(Buffer.concat(chunks).toString('utf8'))));
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`, spans, headers };
}

const listOf = (value: unknown, key: string): readonly Record<string, unknown>[] => {
  const list = isObject(value) ? value[key] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
};

function attributesOf(value: unknown): Record<string, unknown> {
  return Object.fromEntries(listOf(value, 'attributes').map(({ key, value: held }) => {
    const [only] = isObject(held) ? Object.values(held) : [];
    return [String(key), only];
  }));
}

function spansOf(body: unknown): readonly Exported[] {
  return listOf(body, 'resourceSpans').flatMap((resource) => listOf(resource, 'scopeSpans').flatMap((scope) => listOf(scope, 'spans'))).map((span) => ({
    name: String(span['name']), traceId: String(span['traceId']), spanId: String(span['spanId']),
    parentSpanId: typeof span['parentSpanId'] === 'string' ? span['parentSpanId'] : undefined,
    attributes: attributesOf(span), events: listOf(span, 'events').map(({ name }) => String(name)), status: span['status'],
  }));
}

function writeSkill({ data }: Place): void {
  const folder = path.join(data, 'skills', 'greeting');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'SKILL.md'), '---\nname: greeting\ndescription: Greets people politely.\n---\nSay good day.\n');
}

const SECRET = 'what-only-the-file-says';

describe('traces', () => {
  it('show a turn with its answers, calls, skills and sub-agents, and nothing of what was said', async () => {
    const [place, collector] = [makePlace(), await openCollector()];
    writeSkill(place);
    fs.writeFileSync(path.join(place.project, 'a.txt'), SECRET);
    await withProvider(place, { steps: [
      { calls: [{ name: 'Skill', input: { skill: 'greeting' } }, { name: 'Read', input: { file_path: 'a.txt' } }] },
      { calls: [{ name: 'Task', input: { description: 'look', prompt: 'look around', subagent_type: 'explore' } }] },
      'seen', 'good day',
    ] });
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`, OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20key', OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test' };
    const ended = await run(place, ['run', 'greet politely', ...FREE], { env });
    expect([ended.code, ended.stderr]).toEqual([0, expect.not.stringContaining('spans')]);
    const named = (name: string): readonly Exported[] => collector.spans.filter((span) => span.name === name);
    const turns = named('invoke_agent skillmint');
    const outer = turns.find(({ parentSpanId }) => parentSpanId === undefined);
    const inner = turns.find(({ parentSpanId }) => parentSpanId !== undefined);
    expect(turns).toHaveLength(2);
    expect(outer).toMatchObject({ attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.provider.name': 'fake', 'gen_ai.request.model': 'm', 'skillmint.turn.status': 'done' } });
    expect(outer?.events).toContain('skillmint.skill.activated');
    expect(inner?.parentSpanId).toBe(outer?.spanId);
    expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(named('chat m')).toHaveLength(4);
    expect(named('chat m')[0]?.attributes).toMatchObject({ 'gen_ai.operation.name': 'chat', 'gen_ai.usage.output_tokens': expect.anything(), 'gen_ai.response.finish_reasons': expect.anything() });
    expect(named('execute_tool Read')[0]).toMatchObject({ parentSpanId: outer?.spanId, attributes: { 'gen_ai.tool.name': 'Read', 'skillmint.tool.status': 'ok' } });
    expect(named('execute_tool Task')).toHaveLength(1);
    expect(collector.headers[0]).toMatchObject({ 'x-key': 'a key', 'content-type': 'application/json' });
    for (const said of [SECRET, 'greet politely', 'look around', 'good day', 'Say good day']) expect(JSON.stringify(collector.spans)).not.toContain(said);
  });

  it('that cannot be delivered are told of, and the turn is as good', async () => {
    const [place, collector] = [makePlace(), await openCollector(500)];
    await withProvider(place, { steps: ['done'] });
    const ended = await run(place, ['run', 'go', ...FREE], { env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
    expect(ended).toMatchObject({ code: 0, stdout: 'done\n', stderr: expect.stringMatching(/not isolated[^]*2 spans could not be sent to http:\/\/127\.0\.0\.1:\d+ and are dropped: it answered 500/) });
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }, /OTEL_EXPORTER_OTLP_ENDPOINT is no address of HTTP/],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /grpc.*http\/json/],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_EXPORTER_OTLP_HEADERS: 'nothing' }, /OTEL_EXPORTER_OTLP_HEADERS has to be NAME=VALUE/],
  ])('are refused with %j', async (env, says) => {
    const place = makePlace();
    await withProvider(place, { steps: ['done'] });
    const ended = await run(place, ['run', 'go', ...FREE], { env });
    expect(ended.code).not.toBe(0);
    expect(oneLineOf(ended)).toMatch(says);
  });
});

describe('metrics', () => {
  it('count turns, answers, calls and requests, for whoever has the token', async () => {
    const [place, collector] = [makePlace(), await openCollector()];
    await withProvider(place, { steps: [{ calls: [{ name: 'Read', input: { file_path: 'none.txt' } }, { name: 'no_such_tool_of_anybody', input: {} }] }, 'done'] });
    const served = await startServer(place, { env: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces` } });
    const id = String((await served.ask('POST', '/api/sessions', { body: { model: 'fake/m', mode: 'unrestricted' } })).json['id']);
    await served.ask('POST', `/api/sessions/${id}/messages`, { body: { text: 'go' } });
    await expect.poll(async () => (await served.ask('GET', `/api/sessions/${id}`)).json['status'], { timeout: 20_000 }).toBe('done');
    expect((await served.ask('GET', '/metrics', { headers: { authorization: 'Bearer no-token-of-this-server' } })).status).toBe(401);
    const { text, headers } = await served.ask('GET', '/metrics');
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    const value = (line: string): string | undefined => text.split('\n').find((each) => each.startsWith(`${line} `))?.slice(line.length + 1);
    expect(value('skillmint_turns_total{status="done"}')).toBe('1');
    expect(value('skillmint_turns_running')).toBe('0');
    expect(value('skillmint_tool_calls_total{tool="Read",status="error"}')).toBe('1');
    expect(value('skillmint_tool_calls_total{tool="other",status="error"}')).toBe('1');
    expect(value('skillmint_model_call_duration_seconds_count{model="fake/m"}')).toBe('2');
    expect(Number(value('skillmint_model_tokens_total{model="fake/m",kind="output"}'))).toBeGreaterThan(0);
    expect(value('skillmint_http_requests_total{method="POST",path="/api/sessions/:id/messages",status="202"}')).toBe('1');
    expect(text).toContain('process_resident_memory_bytes');
    expect(text).not.toContain(id);
    served.running.child.kill('SIGTERM');
    await served.running.ended;
    expect(collector.spans.map(({ name }) => name)).toContain('invoke_agent skillmint');
  });
});
