import fs from 'node:fs';
import path from 'node:path';
import { parseMode } from '../../permissions/mode.ts';
import type { Effort } from '../../model/model.ts';
import type { ImagePart } from '../../protocol/content.ts';
import { messageOf, SkillmintError } from '../../protocol/errors.ts';
import { isJsonObject, type JsonObject } from '../../protocol/json.ts';
import { PERMISSION_MODES, type PermissionMode } from '../../protocol/permission.ts';
import type { PromptRequest, ResumeRequest, RunningTurn, Runtime } from '../../runtime/runtime.ts';
import { interruptible, refuseStopped, whenStopped } from '../interrupts.ts';
import { openRuntime, type OpenOptions } from '../open-runtime.ts';
import { oneOf } from '../options.ts';
import { indexingLine } from '../listings/indexing-line.ts';
import { EXIT } from '../exit-codes.ts';
import { waitForAgents } from './wait-for-agents.ts';
import { followTurn, OUTPUT_FORMS } from './follow-turn.ts';
import { indexingStatus } from './indexing-status.ts';
import { sandboxOf, type RunFlags, type TurnFlags } from './turn-flags.ts';

const EFFORTS: readonly Effort[] = ['low', 'medium', 'high', 'xhigh', 'max'];
const IMAGE_TYPES: Readonly<Record<string, string>> = { '.png': 'image/png', '.jpg': 'image/jpeg', '.jpeg': 'image/jpeg', '.gif': 'image/gif', '.webp': 'image/webp' };

/** `skillmint run`: resolves to the exit code. */
export async function runCommand(prompt: string | undefined, flags: RunFlags, trial: OpenOptions['trial']): Promise<number> {
  const form = oneOf(flags.output, OUTPUT_FORMS, '--output');
  return interruptible(async (stop) => {
    const indexing = indexingStatus(indexingLine, { ephemeral: flags.ephemeral === true });
    const runtime = await openRuntime({ terminal: false, ephemeral: flags.ephemeral === true, trial, onSkillIndexing: indexing.onSkillIndexing });
    try {
      const text = await readPrompt(prompt, { stop, mayBeLeftOut: flags.session !== undefined || flags.continue === true });
      const begin = text === undefined ? await resumed(runtime, flags) : await prompted(runtime, flags, text);
      refuseStopped(stop);
      const turn = await begin();
      const ephemeral = flags.ephemeral === true;
      const code = await followTurn(turn, { form, verbose: flags.verbose === true, ephemeral, indexing, stop });
      const stopped = await waitForAgents(runtime, turn.sessionId, { stop, ephemeral });
      return stopped ? EXIT.interrupted : code;
    } finally {
      await runtime.close();
      await indexing.end();
    }
  });
}

async function prompted(runtime: Runtime, flags: RunFlags, text: string): Promise<() => Promise<RunningTurn>> {
  const request = {
    ...(await promptRequest(runtime, flags)),
    text,
    attachments: (flags.image ?? []).map(readImage),
    ...(flags.outputSchema === undefined ? {} : { outputSchema: readSchema(flags.outputSchema) }),
  };
  return () => runtime.prompt(request);
}

async function resumed(runtime: Runtime, flags: RunFlags): Promise<() => Promise<RunningTurn>> {
  const request = await resumeRequest(runtime, flags);
  return () => runtime.resume(request);
}

/** What the flags say of a turn, without its text. */
export async function promptRequest(runtime: Runtime, flags: TurnFlags): Promise<Omit<PromptRequest, 'text'>> {
  if (flags.session !== undefined && flags.continue) throw new SkillmintError('usage', 'Give either --session or --continue.');
  const resumes = flags.session !== undefined || flags.continue === true;
  if (resumes && (flags.skill !== undefined || flags.addDir !== undefined)) throw new SkillmintError('usage', '--skill and --add-dir belong to a new session; leave them out, or leave out --session and --continue.');
  if (flags.session !== undefined && flags.cwd !== undefined) throw new SkillmintError('usage', 'A session keeps its folder: leave out --cwd, or leave out --session.');
  const cwd = path.resolve(flags.cwd ?? '.');
  const sessionId = flags.continue ? await latestSession(runtime, cwd) : flags.session;
  return {
    cwd,
    tools: flags.tools === false ? 'none' : 'all',
    skills: flags.skills === false ? 'none' : 'offer',
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(flags.model === undefined ? {} : { model: flags.model }),
    ...(flags.skill === undefined ? {} : { skill: flags.skill }),
    ...(flags.permissionMode === undefined ? {} : { mode: modeOf(flags.permissionMode) }),
    ...(flags.allow === undefined ? {} : { allow: flags.allow }),
    ...(flags.deny === undefined ? {} : { deny: flags.deny }),
    ...(flags.sandbox === undefined ? {} : { sandbox: sandboxOf(flags.sandbox) }),
    ...(flags.maxTurns === undefined ? {} : { maxSteps: flags.maxTurns }),
    ...(flags.maxCost === undefined ? {} : { maxCostUsd: flags.maxCost }),
    ...(flags.effort === undefined ? {} : { effort: oneOf(flags.effort, EFFORTS, '--effort') }),
    ...(flags.addDir === undefined ? {} : { addDirs: flags.addDir.map((dir) => path.resolve(dir)) }),
  };
}

function modeOf(name: string): PermissionMode {
  const mode = parseMode(name);
  if (!mode) throw new SkillmintError('usage', `There is no permission mode "${name}". Use one of: ${PERMISSION_MODES.join(', ')}.`);
  return mode;
}

/** What the flags say of a turn that was cut off: it goes on as it was begun, with another model or mode where one is given. */
async function resumeRequest(runtime: Runtime, flags: RunFlags): Promise<ResumeRequest> {
  const { sessionId, model, mode } = await promptRequest(runtime, flags);
  const given: Readonly<Record<string, unknown>> = { allow: flags.allow, deny: flags.deny, 'max-turns': flags.maxTurns, 'max-cost': flags.maxCost, effort: flags.effort, sandbox: flags.sandbox, image: flags.image, 'output-schema': flags.outputSchema, 'no-tools': flags.tools === false || undefined, 'no-skills': flags.skills === false || undefined };
  const [fixed] = Object.keys(given).filter((name) => given[name] !== undefined);
  if (fixed !== undefined) throw new SkillmintError('usage', `Without a prompt the turn that was cut off goes on as it was begun, so --${fixed} has no place here. Leave it out, or give a prompt.`);
  return { sessionId: sessionId ?? '', ...(model === undefined ? {} : { model }), ...(mode === undefined ? {} : { mode }) };
}

async function latestSession(runtime: Runtime, cwd: string): Promise<string> {
  const [latest] = await runtime.sessions.list({ cwd, limit: 1 });
  if (!latest) throw new SkillmintError('session_not_found', `There is no session of ${cwd} to go on with. Run without --continue.`);
  return latest.session_id;
}

/** Undefined where there is none and the turn that was cut off may go on instead. */
async function readPrompt(given: string | undefined, { stop, mayBeLeftOut }: { readonly stop: AbortSignal; readonly mayBeLeftOut: boolean }): Promise<string | undefined> {
  if (given !== undefined && given !== '-') return requireText(given);
  if (given === undefined && mayBeLeftOut && process.stdin.isTTY) return undefined;
  if (given === undefined && process.stdin.isTTY) throw new SkillmintError('usage', 'Give the prompt: skillmint run "what to do", or "-" to read it from standard input.');
  const chunks: Buffer[] = [];
  const listening = whenStopped(stop, () => process.stdin.destroy());
  try {
    for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  } catch (error) {
    refuseStopped(stop);
    throw error;
  } finally {
    listening();
  }
  refuseStopped(stop);
  const text = Buffer.concat(chunks).toString('utf8');
  return given === undefined && mayBeLeftOut && text.trim() === '' ? undefined : requireText(text);
}

function requireText(text: string): string {
  if (text.trim() === '') throw new SkillmintError('usage', 'The prompt is empty. Give it as an argument or on standard input.');
  return text;
}

function readImage(file: string): ImagePart {
  const mediaType = IMAGE_TYPES[path.extname(file).toLowerCase()];
  if (!mediaType) throw new SkillmintError('invalid_argument', `--image ${file} is no picture that models take. Use one of: ${Object.keys(IMAGE_TYPES).join(', ')}.`);
  return { type: 'image', media_type: mediaType, data: readFlagFile(file, '--image').toString('base64') };
}

function readSchema(file: string): JsonObject {
  const text = readFlagFile(file, '--output-schema').toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    throw new SkillmintError('invalid_argument', `--output-schema ${file} is not valid JSON: ${messageOf(error)}`, { cause: error });
  }
  throw new SkillmintError('invalid_argument', `--output-schema ${file} holds no JSON object.`);
}

function readFlagFile(file: string, flag: string): Buffer {
  try {
    return fs.readFileSync(file);
  } catch (error) {
    throw new SkillmintError('invalid_argument', `${flag} ${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
