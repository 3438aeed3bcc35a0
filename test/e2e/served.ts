import { request, type Answer, type Asked } from '../server/open-server.ts';
import { start, type Place, type Running, type StartOptions } from './program.ts';

/** The program as a server. */
export interface Served {
  readonly running: Running;
  readonly port: number;
  readonly token: string;
  /** What it printed until it could be asked. */
  readonly printed: readonly string[];
  ask(method: string, at: string, asked?: Asked): Promise<Answer>;
}

/** Starts the program as a server on a free port; resolves when it says where it listens. */
export function startServer(place: Place, { command = 'serve', args = [], port = 0, ...options }: { readonly command?: 'serve' | 'sidecar'; readonly args?: readonly string[]; readonly port?: number } & Pick<StartOptions, 'env' | 'onError'> = {}): Promise<Served> {
  return new Promise((resolve, reject) => {
    const printed: string[] = [];
    const running = start(place, [command, '--port', `${port}`, ...args], { ...options, onLine: (line) => {
      printed.push(line);
      const at = printed.flatMap((each) => /listens on http:\/\/127\.0\.0\.1:(\d+)/.exec(each)?.[1] ?? []).at(0);
      const token = printed.flatMap((each) => /Bearer (\S+)/.exec(each)?.[1] ?? []).at(0) ?? options.env?.['SKILLMINT_TOKEN'] ?? (printed.some((line) => /^Open in a browser: \S+\/login$/.test(line)) ? '' : undefined);
      if (at === undefined || token === undefined) return;
      const headers = { authorization: `Bearer ${token}` };
      resolve({ running, token, printed, port: Number(at), ask: (method, to, asked = {}) => request(Number(at), method, to, { ...asked, headers: { ...headers, ...asked.headers } }) });
    } });
    running.ended.then(({ code, stderr }) => reject(new Error(`serve ended with ${code}: ${stderr}`)), reject);
  });
}
