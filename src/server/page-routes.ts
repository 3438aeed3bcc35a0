import fs from 'node:fs';
import path from 'node:path';
import type { Hono } from 'hono';
import type { AppEnv } from './app-env.ts';

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml' };
/** Their names change with their content. */
const FOREVER = 'public, max-age=31536000, immutable';
/** Where people can be in the interface; the page itself knows what each address shows. */
const ADDRESSES = ['/', '/login', '/chat/:id', '/skills', '/skills/:id', '/sessions', '/sessions/:id', '/usage', '/settings', '/settings/:section'];

/** The web interface: files of the package alone, known by name, which hold nothing of anybody. They ask for a login themselves. */
export function pageRoutes(app: Hono<AppEnv>, folder: string): void {
  const names = fs.existsSync(folder) ? fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name))) : [];
  for (const name of names) {
    const address = `/${name.split(path.sep).join('/')}`;
    const headers = { 'content-type': TYPES[path.extname(name)] ?? 'application/octet-stream', 'cache-control': address.startsWith('/assets/') ? FOREVER : 'no-cache' };
    const send = async (): Promise<Response> => new Response(await fs.promises.readFile(path.join(folder, name)), { headers });
    if (name === 'index.html') for (const place of ADDRESSES) app.get(place, send);
    else app.get(address, send);
  }
}
