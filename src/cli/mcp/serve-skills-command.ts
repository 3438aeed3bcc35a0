import { SkillmintError } from '../../protocol/errors.ts';
import { serveSkillsOverHttp, serveSkillsOverStdio, type SkillsServed } from '../../mcp-server/serve-skills.ts';
import { refuseOpen } from '../../server/open-to-others.ts';
import { serverToken } from '../../server/login/server-token.ts';
import { EXIT } from '../exit-codes.ts';
import { keepOutputClean } from '../clean-output.ts';
import { interruptible, whenStopped } from '../interrupts.ts';
import { commandSettings } from '../load-settings.ts';
import { openRuntime } from '../open-runtime.ts';
import { oneLine, printJson, write } from '../terminal.ts';

/** What `skillmint mcp serve` can be told. */
export interface ServeSkillsFlags {
  readonly http?: boolean;
  readonly host: string;
  readonly port: number;
  readonly tokenFile?: string;
  readonly allowHost?: readonly string[];
  readonly json?: boolean;
}

/** `skillmint mcp serve`: standard output belongs to the protocol, unless it serves HTTP. */
export async function serveSkillsCommand(flags: ServeSkillsFlags): Promise<void> {
  if (!flags.http && (flags.tokenFile !== undefined || flags.allowHost !== undefined || flags.json)) throw new SkillmintError('usage', '--token-file, --allow-host and --json are for --http; without it the client starts this program and speaks over its input and output.');
  if (!flags.http) keepOutputClean(log);
  process.exitCode = await interruptible(async (stop) => {
    const runtime = await openRuntime({ terminal: false });
    try {
      const options = { runtime, cwd: process.cwd(), log };
      const served: SkillsServed = flags.http ? await overHttp(options, flags) : await serveSkillsOverStdio(options);
      const stopped = new Promise<void>((resolve) => whenStopped(stop, resolve));
      await Promise.race([stopped, served.ended]);
      await served.close();
      return EXIT.done;
    } finally {
      await runtime.close();
    }
  });
}

function log(line: string): void {
  process.stderr.write(`skillmint: ${oneLine(line)}\n`);
}

async function overHttp(options: Parameters<typeof serveSkillsOverStdio>[0], { host, port, tokenFile, allowHost = [], json }: ServeSkillsFlags): Promise<SkillsServed> {
  refuseOpen({ host, runtime: options.runtime, ...(tokenFile === undefined ? {} : { tokenFile }) });
  const { data } = await commandSettings();
  const { token, given } = serverToken({ env: process.env, tokenFile, dataFolder: data });
  const served = await serveSkillsOverHttp(options, { host, port, token, allowHosts: allowHost });
  if (json) await printJson({ url: served.url, ...(given ? {} : { token }) });
  else await write(process.stdout, `skillmint serves skills at ${served.url}\n${given ? '' : `Clients send the token: Authorization: Bearer ${token}\n`}`);
  return served;
}
