import { Validator } from '@cfworker/json-schema';
import fs from 'node:fs/promises';
import path from 'node:path';
import vm from 'node:vm';
import type { CheckWorld } from '../../evaluate/runs/run-check.ts';
import type { Host } from '../../host/host.ts';
import { isInside } from '../../host/paths.ts';
import { messageOf, systemCode } from '../../protocol/errors.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { runScript } from '../execute/run-script.ts';

const MOST_BYTES = 10 * 1024 * 1024;
const REGEX_MS = 2_000;
const SHOWN_PROBLEMS = 3;

/** What checks of a run work with. */
export interface CheckWorldParts {
  /** Real path. */
  readonly work: string;
  /** Runs commands in the sandbox, as was chosen. */
  readonly host: Pick<Host, 'start' | 'clock' | 'platform'>;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** The workspace of a run, for checks. */
export function checkWorld({ work, host, env, signal }: CheckWorldParts): CheckWorld {
  return {
    async kind(relative) {
      const at = await placeIn(work, relative);
      if (at === undefined) return undefined;
      const stat = await fs.stat(at);
      return stat.isDirectory() ? 'directory' : 'file';
    },
    async read(relative) {
      const at = await placeIn(work, relative);
      if (at === undefined) return undefined;
      const stat = await fs.stat(at);
      return stat.isFile() && stat.size <= MOST_BYTES ? fs.readFile(at, 'utf8') : undefined;
    },
    matches,
    misfit,
    async command(line, timeoutMs) {
      const argv = host.platform === 'win32' ? ['powershell', '-NoProfile', '-Command', line] : ['/bin/sh', '-c', line];
      const { exitCode, stdout, stderr, error } = await runScript(host, { name: 'The command', argv, cwd: work, env, timeoutMs, signal });
      return { code: exitCode, output: [stdout, stderr, error?.message ?? ''].filter((text) => text !== '').join('\n') };
    },
  };
}

/** The real path of something in the workspace; undefined where nothing is, or a link leads out. */
async function placeIn(work: string, relative: string): Promise<string | undefined> {
  try {
    const real = await fs.realpath(path.join(work, relative));
    return isInside(work, real) ? real : undefined;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(systemCode(error))) return undefined;
    throw error;
  }
}

/** A pattern may be made so that it never ends. */
function matches(text: string, pattern: string): boolean | string {
  try {
    const found: unknown = vm.runInNewContext('regex.test(text)', { text, regex: new RegExp(pattern, 'mu') }, { timeout: REGEX_MS });
    return found === true;
  } catch (error) {
    return `The pattern cannot be tried: ${messageOf(error)}`;
  }
}

function misfit(text: string, schema: JsonObject): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `It is no JSON: ${messageOf(error)}`;
  }
  try {
    const { valid, errors } = new Validator(schema, '2020-12', false).validate(value);
    return valid ? undefined : errors.slice(-SHOWN_PROBLEMS).map((each) => `${each.instanceLocation}: ${each.error}`).join(' ');
  } catch (error) {
    return `It cannot be checked: ${messageOf(error)}`;
  }
}
