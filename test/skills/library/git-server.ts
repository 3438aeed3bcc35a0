import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import type { RequestListener } from 'node:http';
import path from 'node:path';

/** Makes commits in a repository of its own, without any settings of the machine. */
export interface TestRepository {
  readonly folder: string;
  git(...args: string[]): string;
  /** Writes files (a text beginning with `->` is a link), commits, and gives the commit's id. */
  commit(files: Readonly<Record<string, string>>): string;
}

const ENV = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', LC_ALL: 'C' };

export function testRepository(folder: string): TestRepository {
  fs.mkdirSync(folder, { recursive: true });
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], { cwd: folder, env: ENV, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] }).trim();
  git('init', '--quiet', '--initial-branch=main');
  return {
    folder,
    git,
    commit: (files) => {
      for (const [name, text] of Object.entries(files)) {
        const file = path.join(folder, name);
        fs.mkdirSync(path.dirname(file), { recursive: true });
        if (text.startsWith('->')) fs.symlinkSync(text.slice(2), file);
        else fs.writeFileSync(file, text);
      }
      git('add', '--all');
      git('commit', '--quiet', '--message', 'Change');
      return git('rev-parse', 'HEAD');
    },
  };
}

/** Serves the repositories below `root` as git's own server does. */
export function gitBackend(root: string): RequestListener {
  return (request, response) => {
    const [pathname = '', query = ''] = (request.url ?? '').split('?');
    const { 'content-type': type = '', 'content-encoding': encoding = '', 'git-protocol': protocol = '' } = request.headers;
    const cgi = spawn('git', ['http-backend'], {
      env: {
        ...ENV, GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: '1', PATH_INFO: decodeURIComponent(pathname), QUERY_STRING: query, REQUEST_METHOD: request.method,
        CONTENT_TYPE: type, HTTP_CONTENT_ENCODING: encoding, GIT_PROTOCOL: String(protocol),
      },
    });
    request.pipe(cgi.stdin);
    const chunks: Buffer[] = [];
    cgi.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    cgi.on('close', () => {
      const whole = Buffer.concat(chunks);
      const end = whole.indexOf('\r\n\r\n');
      const headers = whole.subarray(0, end).toString('latin1').split('\r\n').map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
      const status = Number(headers.find(([name]) => name === 'Status')?.[1].slice(0, 3) ?? 200);
      response.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== 'Status'))).end(whole.subarray(end + 4));
    });
  };
}

/** Serves files as they lie, as any web server would. */
export function plainFiles(root: string): RequestListener {
  return (request, response) => {
    const file = path.join(root, decodeURIComponent((request.url ?? '').split('?')[0] ?? ''));
    if (!fs.existsSync(file) || !fs.statSync(file).isFile()) response.writeHead(404).end();
    else response.end(fs.readFileSync(file));
  };
}
