import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startHttp, writeSkill, type HttpServed } from '../mcp/serve-clients.ts';
import { makePlace, type Place } from './program.ts';

const SUITE = path.join(path.dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')), 'dist/index.js');

/** Checks of tools, prompts, resources and completions that the suite's own example server has, and no other. Besides these, only what says of itself that it cannot be tested may fail. */
const OF_EXAMPLE_SERVER = [/^completion-/, /^json-schema-2020-12/, /^prompts-/, /^tools-call-/, /^resources-(read-(text|binary)|templates-read|subscribe|unsubscribe)/, /^logging-/, /^elicitation-sep/, /^sep-2322-/, /^sep-2549-prompts-list/];

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** Brings the token, which the suite cannot be given. Names of itself in requests become those of the server; others stay. */
async function withToken({ url, token }: HttpServed): Promise<string> {
  const proxy = http.createServer((incoming, outgoing) => {
    const { port } = proxy.address() as AddressInfo; // It listens on a port.
    const named = (value: string | undefined): string | undefined => value?.replace(new RegExp(`^((?:http://)?(?:localhost|127\\.0\\.0\\.1)):${port}$`), `$1:${url.port}`);
    const { host, origin, ...rest } = incoming.headers;
    const headers = { ...rest, authorization: `Bearer ${token}`, host: named(host), ...(origin === undefined ? {} : { origin: named(origin) }) };
    const asked = http.request({ hostname: url.hostname, port: url.port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    asked.on('error', () => outgoing.destroy());
    outgoing.on('close', () => asked.destroy());
    incoming.pipe(asked);
  });
  await new Promise<void>((resolve) => { proxy.listen(0, '127.0.0.1', resolve); });
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://localhost:${(proxy.address() as AddressInfo).port}${url.pathname}`; // It listens on a port.
}

/** Runs a part of the suite; gives every check by scenario. */
async function checksOf(place: Place, url: string, args: readonly string[]): Promise<ReadonlyMap<string, readonly Check[]>> {
  const out = path.join(place.root, args.join('-').replaceAll(/[^\w.-]/g, ''));
  const child = spawn(process.execPath, ['--import', path.resolve('test/e2e/without-glob.mjs'), SUITE, 'server', '--url', url, '-o', out, ...args], { cwd: place.root, env: { ...place.env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => { said += text; });
  await new Promise((resolve) => { child.on('close', resolve); });
  if (!fs.existsSync(out)) throw new Error(`The suite has left no results: ${said}`);
  return new Map(fs.readdirSync(out).map((name) => [name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, ''), JSON.parse(fs.readFileSync(path.join(out, name, 'checks.json'), 'utf8'))]));
}

/** What failed, without what is only about the example server. */
function failed(checks: ReadonlyMap<string, readonly Check[]>): readonly string[] {
  const counts = ({ id, status, errorMessage = '' }: Check): boolean => status === 'FAILURE' && !errorMessage.startsWith('Not testable') && !OF_EXAMPLE_SERVER.some((pattern) => pattern.test(id));
  return [...checks].flatMap(([scenario, all]) => all.filter(counts).map(({ id, errorMessage }) => `${scenario} ${id}: ${errorMessage ?? ''}`));
}

function passed(checks: ReadonlyMap<string, readonly Check[]>, scenario: string): number {
  return (checks.get(scenario) ?? []).filter(({ status }) => status === 'SUCCESS').length;
}

describe('the official conformance suite', () => {
  it('finds nothing wrong with our server of skills', async () => {
    const place = makePlace();
    writeSkill(place, 'greeting', { files: { 'references/how.md': 'Politely.', 'scripts/hello.sh': '#!/bin/sh\necho hello\n' } });
    writeSkill(place, 'farewell');
    const url = await withToken(await startHttp(place));
    for (const revision of ['2025-11-25', '2026-07-28']) {
      const checks = await checksOf(place, url, ['--suite', 'all', '--spec-version', revision]);
      expect(failed(checks), revision).toEqual([]);
      for (const scenario of ['tools-list', 'resources-list', 'dns-rebinding-protection']) expect(passed(checks, scenario), `${scenario} ${revision}`).toBeGreaterThan(0);
    }
    for (const [scenario, least] of [['sep-2640-skills-directory', 7], ['sep-2640-skills-enumeration', 30], ['sep-2640-skills-manifest', 6]] as const) {
      const checks = await checksOf(place, url, ['--scenario', scenario]);
      expect(failed(checks), scenario).toEqual([]);
      expect(passed(checks, scenario), scenario).toBeGreaterThanOrEqual(least);
    }
  }, 60_000);
});
