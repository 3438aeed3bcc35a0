import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { runTrial, withCanaryPlace, type CanaryPlace, type Trial } from '../canary.ts';
import { MAC_SYSTEM_FOLDERS } from '../places.ts';
import type { SandboxPolicy } from '../policy.ts';
import type { SandboxProblem } from '../remedy.ts';
import { seatbeltMechanism } from './seatbelt-mechanism.ts';

/** The system's own alone: one found elsewhere could be anybody's. */
const SANDBOX_EXEC = '/usr/bin/sandbox-exec';

const WALLS: readonly (readonly [number, string])[] = [
  [1, 'a file outside the workspace could be written'],
  [2, 'a planted secret could be read or copied'],
  [4, 'a server on this machine could be reached'],
  [8, 'the workspace, the temporary folder or a folder to be read is closed'],
  [16, 'a protected file of the workspace could be made or changed'],
  [32, 'a file could be given a second path'],
];

/**
 * $1 outside, $2 secret, $3 port, $4 temporary folder, $5 workspace, $6 file to read alone, $7 word that proves that this ran. The
 * sum of fallen walls follows it: exit codes would not do, since sandbox-exec has its own.
 */
const CANARY = `s=0
{ true > "$1"; } 2>/dev/null && s=$((s|1))
{ true >> "$6"; } 2>/dev/null && s=$((s|1))
{ read -r x < "$2"; } 2>/dev/null && s=$((s|2))
{ true 3<> "/dev/tcp/127.0.0.1/$3"; } 2>/dev/null && s=$((s|4))
{ true > "$4/made"; } 2>/dev/null || s=$((s|8))
{ true > "$5/plain"; } 2>/dev/null || s=$((s|8))
{ read -r x < "$6"; } 2>/dev/null || s=$((s|8))
for name in .mcp.json .MCP.JSON .envrc .git/config .git/HOOKS; do { true >> "$5/$name"; } 2>/dev/null && s=$((s|16)); done
/bin/mv "$5/.git" "$5/moved" 2>/dev/null && s=$((s|16))
/bin/ln "$6" "$5/plain-link" 2>/dev/null && s=$((s|32))
/bin/cp -c "$2" "$5/plain-copy" 2>/dev/null && s=$((s|2))
echo "$7 $s"
`;

/** What is tried out, and where; see `ProbeOptions`. */
export interface SeatbeltTrial {
  readonly policy: SandboxPolicy;
  readonly candidates?: readonly string[];
  readonly folder?: string;
}

/**
 * The trial of `probeSandbox` on macOS: resolves to the absolute path of sandbox-exec when every wall held. It goes further than that
 * of Linux, where namespaces build the walls: here each is a rule of ours, so each is tried.
 */
export async function probeSeatbelt({ policy, candidates = [SANDBOX_EXEC], folder }: SeatbeltTrial): Promise<string | SandboxProblem> {
  const sandboxExec = candidates.find((candidate) => fs.existsSync(candidate));
  if (sandboxExec === undefined) return { reason: `${SANDBOX_EXEC} is missing, which is part of macOS`, remedy: 'repair or update macOS, or pass --sandbox off' };
  const proof = randomBytes(8).toString('hex');
  const trial = await withCanaryPlace(folder, (place) => tryOut(sandboxExec, policy, { place, proof }));
  const fallen = new RegExp(`^${proof} (\\d+)$`, 'm').exec(trial.printed)?.[1];
  if (fallen === undefined) return refused(trial);
  if (fallen === '0') return sandboxExec;
  const walls = WALLS.filter(([bit]) => (Number(fallen) & bit) !== 0).map(([, wall]) => wall);
  return { reason: `in a trial ${walls.join(', ')}`, remedy: 'report it with your version of macOS (sw_vers); commands run without a sandbox only with --sandbox off' };
}

function tryOut(sandboxExec: string, given: SandboxPolicy, { place, proof }: { readonly place: CanaryPlace; readonly proof: string }): Promise<Trial> {
  const folder = fs.realpathSync.native(place.folder);
  const workspace = path.join(folder, 'workspace');
  const temporary = path.join(folder, 'temporary');
  const readable = path.join(folder, 'readable');
  for (const one of [path.join(workspace, '.git/hooks'), temporary, readable]) fs.mkdirSync(one, { recursive: true });
  for (const file of [path.join(workspace, 'plain'), path.join(workspace, '.git/config'), path.join(readable, 'file')]) fs.writeFileSync(file, 'text\n');
  const policy = { ...given, system: { folders: MAC_SYSTEM_FOLDERS, links: [] }, writable: [workspace], guarded: [workspace], readable: [readable], temporary };
  const shell = ['/bin/bash', '--norc', '--noprofile', '-c', CANARY, 'canary'];
  const argv = [...shell, path.join(folder, 'written'), path.join(folder, path.basename(place.secret)), String(place.port), temporary, workspace, path.join(readable, 'file'), proof];
  const [program = '', ...args] = seatbeltMechanism({ sandboxExec }).enclose(policy, { argv, cwd: '/', entrance: undefined }).argv;
  return runTrial(program, args);
}

/** sandbox-exec is there but the trial did not come to its end. */
function refused({ said, code }: Trial): SandboxProblem {
  const line = said.split('\n').find((one) => one.startsWith('sandbox-exec:'))?.slice('sandbox-exec:'.length).trim() ?? said.trim().split('\n')[0] ?? '';
  if (/sandbox_apply: Operation not permitted/.test(line)) return { reason: 'sandbox-exec could not start: this program runs in a sandbox itself', remedy: 'start it from a plain terminal, or pass --sandbox off' };
  const what = line === '' ? `the trial ended without a word (exit code ${code ?? 'unknown'})` : `sandbox-exec could not start: ${line.slice(0, 200)}`;
  return { reason: what, remedy: 'report it with your version of macOS (sw_vers), or pass --sandbox off' };
}
