import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { withoutChromium } from '../helpers/chromium.ts';
import { openServer, type Answer, type TestServer } from './open-server.ts';

const PAGE = '<title>Shop</title><h1>Books</h1><label>Name <input id="name"></label><button onclick="document.title = \'Hello \' + document.querySelector(\'#name\').value">Greet</button>';
const EVERYTHING = path.resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js');

async function site(): Promise<string> {
  const server = http.createServer((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  return `localhost:${typeof address === 'object' && address ? address.port : 0}`;
}

/** Asks as a host application does, in plain HTTP. */
const asking = ({ ask }: TestServer) => async (at: string, body: object = {}): Promise<Answer> => ask('POST', `/api/${at}`, { body });

describe('as a host application uses it', () => {
  it('pages are opened, looked at, filled in, pictured and closed', { timeout: 60_000, skip: withoutChromium }, async () => {
    const host = await site();
    const server = await openServer(scriptedModel([]), { settings: { network: { allow: [host] } } });
    const post = asking(server);
    expect((await post('browser/snapshot')).status).toBe(422);
    expect((await post('browser/navigate', { url: `http://${host}/` })).json['output']).toContain('Shop');
    const snapshot = String((await post('browser/snapshot')).json['output']);
    expect(snapshot).toContain('button "Greet"');
    expect((await post('browser/type', { selector: '#name', text: 'Ada' })).status).toBe(200);
    const ref = /button "Greet" \[ref=(\w+)\]/.exec(snapshot)?.[1];
    expect((await post('browser/click', { ref })).status).toBe(200);
    expect((await post('browser/evaluate', { script: 'document.title' })).json['output']).toContain('Hello Ada');
    expect((await post('browser/content')).json['output']).toContain('Books');
    const file = path.join(server.place.project, 'page.png');
    expect((await post('browser/screenshot', { path: file })).json['output']).toBe(file);
    expect(fs.readFileSync(file).subarray(1, 4).toString()).toBe('PNG');
    expect((await post('browser/screenshot', { path: '/etc/page.png' })).status).toBe(403);
    const outside = path.join(server.place.home, 'outside.txt');
    fs.writeFileSync(outside, 'as it was');
    fs.symlinkSync(outside, path.join(server.place.project, 'link.png'));
    expect((await post('browser/screenshot', { path: path.join(server.place.project, 'link.png') })).status).toBe(500);
    expect(fs.readFileSync(outside, 'utf8')).toBe('as it was');
    expect((await post('browser/close')).status).toBe(200);
  });

  it('addresses inward are refused, and so is what is none', async () => {
    const server = await openServer(scriptedModel([]));
    const post = asking(server);
    for (const url of ['http://127.0.0.1:1/', 'http://169.254.169.254/', 'file:///etc/passwd', 'nonsense']) {
      const { status, json } = await post('browser/navigate', { url });
      expect([url, status >= 400 && status < 600, typeof json['error']]).toEqual([url, true, 'string']);
    }
    expect((await post('browser/click', {})).json).toMatchObject({ code: 'invalid_argument' });
    expect((await post('mcp/add-server', { name: 'one', url: 'http://localhost:1/', headers: { accept: [null] } })).json).toMatchObject({ code: 'invalid_argument' });
  });

  it('MCP servers are added, asked and ended', { timeout: 60_000 }, async () => {
    const server = await openServer(scriptedModel([]));
    const post = asking(server);
    const added = await post('mcp/add-server', { name: 'everything', command: process.execPath, args: [EVERYTHING] });
    expect([added.status, added.text]).toEqual([200, expect.stringContaining('ready')]);
    expect(String((await post('mcp/list-servers')).json['output'])).toContain('"name":"everything"');
    expect(String((await post('mcp/list-tools', { server_name: 'everything' })).json['output'])).toContain('"name":"echo"');
    expect((await post('mcp/call-tool', { server_name: 'everything', tool_name: 'echo', arguments: { message: 'hello' } })).json['output']).toContain('hello');
    expect((await post('mcp/call-tool', { server_name: 'everything', tool_name: 'ekko' })).status).toBe(404);
    expect((await post('mcp/add-server', { name: 'everything', command: 'x' })).status).toBe(400);
    expect((await post('mcp/add-server', { name: 'broken', command: '/none/at/all' })).status).toBe(424);
    expect(String((await post('mcp/list-servers')).json['output'])).not.toContain('broken');
    expect((await post('mcp/remove-server', { name: 'everything' })).status).toBe(200);
    expect((await post('mcp/list-servers')).json['output']).toBe('[]');
    expect((await post('mcp/remove-server', { name: 'everything' })).status).toBe(404);
  });
});
