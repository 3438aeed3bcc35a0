import { PermissionError, SkillmintError } from '../../protocol/errors.ts';
import type { ExecutionRecord } from '../../protocol/execution.ts';
import { decide } from '../../permissions/decide.ts';
import { parseRules } from '../../permissions/rules.ts';
import { digestSkill } from '../../skills/digest.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import { settingsRules } from '../permissions/session-rules.ts';
import { countIn, optionalTextIn, textIn, textsIn } from './tool-input.ts';
import type { ScriptConsent, ScriptQuestion, SkillTool, SkillToolCall } from './skill-tool.ts';
import type { SkillToolParts } from './skill-tool-parts.ts';

const NAME = 'run_skill_script';
const USUAL_MS = 60_000;
const MOST_MS = 600_000;
const MOST_OUTPUT_CHARS = 50_000;
const MOST_SHOWN_CHARS = 2_000;

/** Runs a script of a skill in the sandbox, after the person or a rule has allowed it. */
export function runSkillScriptTool(tools: SkillToolParts): SkillTool {
  /** Digests of content that the person has allowed for as long as this program runs. */
  const allowed = new Set<string>();
  return {
    name: NAME,
    description: "Runs a script of a skill in a sandbox: without network, in an empty temporary folder, the skill's own folder read-only. The person may be asked first. Gives exit code and output.",
    inputSchema: {
      type: 'object',
      properties: {
        skill: { type: 'string', description: 'Name or id.' },
        script: { type: 'string', description: "Path relative to the skill's folder, such as scripts/report.py." },
        args: { type: 'array', items: { type: 'string' }, description: 'Arguments.' },
        stdin: { type: 'string', description: 'What it reads on standard input.' },
        timeout_ms: { type: 'integer', minimum: 1, maximum: MOST_MS, description: `${USUAL_MS} when left out.` },
      },
      required: ['skill', 'script'], additionalProperties: false,
    },
    readOnly: false,
    async call(input, context = {}) {
      const entry = await tools.skillNamed(textIn(input, 'skill'));
      const [script, args, stdin] = [textIn(input, 'script'), textsIn(input, 'args'), optionalTextIn(input, 'stdin')];
      const timeoutMs = countIn(input, 'timeout_ms', { usual: USUAL_MS, most: MOST_MS });
      await requireConsent(tools, { entry, script, args, stdin, ask: context.ask, allowed });
      const record = await tools.service.execute(entry.id, args, { script, timeoutMs, ...(stdin === undefined ? {} : { stdin }), ...givenOf(context) });
      return { text: textOf(record), isError: record.exitCode !== 0, data: { exitCode: record.exitCode, stdout: record.stdout, stderr: record.stderr, timedOut: record.timedOut, truncated: record.truncated, durationMs: record.durationMs } };
    },
  };
}

function givenOf({ signal, onOutput }: SkillToolCall): { readonly signal?: AbortSignal; readonly onOutput?: (chunk: Uint8Array) => void } {
  return { ...(signal ? { signal } : {}), ...(onOutput ? { onOutput } : {}) };
}

interface WantedRun {
  readonly ask: SkillToolCall['ask'];
  readonly entry: SkillEntry;
  readonly script: string;
  readonly args: readonly string[];
  readonly stdin: string | undefined;
  readonly allowed: Set<string>;
}

/** @throws PermissionError where neither rule nor person allows it */
async function requireConsent({ parts, cwd }: SkillToolParts, { entry, script, args, stdin, ask, allowed }: WantedRun): Promise<void> {
  const settings = await parts.settings(cwd);
  const { rules } = parseRules(settingsRules(settings));
  const { mode } = settings.values.permissions;
  const verdict = decide({ call: { tool: NAME, needs: [{ action: 'tool' }], readOnly: false }, mode, rules, workspace: { roots: [cwd], readableRoots: [], home: parts.home }, locate: [] });
  if (verdict.verdict === 'deny') throw new PermissionError(`The script may not run: ${verdict.reason}.`);
  const { digest } = digestSkill(parts.host.tree, entry.folder);
  if (digest === '') throw new SkillmintError('not_trusted', `The files of ${entry.id} cannot all be read, so nobody can say what would run.`);
  const { trusted } = parts.trust.of(entry, digest, [cwd]);
  if ((verdict.verdict === 'allow' && trusted) || allowed.has(digest)) return;
  if (mode === 'dontAsk') throw new PermissionError('The script may not run: the mode dontAsk denies what would ask.');
  if (!ask) throw new PermissionError(`The script needs the consent of the person, who cannot be asked here. They can allow scripts of trusted skills with the rule ${NAME} in permissions.allow${trusted ? '' : `, and trust this skill with: skillmint skills trust ${entry.id}`}.`);
  const consent: ScriptConsent = await ask(questionOf({ entry, digest, script, args, stdin, trusted }));
  if (consent === 'no') throw new PermissionError('The person does not want this script to run. Go on without it, or ask them why.');
  if (consent === 'always') allowed.add(digest);
}

function questionOf({ entry, digest, script, args, stdin, trusted }: Pick<ScriptQuestion, 'digest' | 'trusted'> & Pick<WantedRun, 'entry' | 'script' | 'args' | 'stdin'>): ScriptQuestion {
  const call = [script, ...args].map((word) => JSON.stringify(word)).join(' ');
  const text = [
    `Run a script of the skill ${entry.id}${trusted ? '' : ', which you have not trusted'}?`,
    `Call: ${call.slice(0, MOST_SHOWN_CHARS)}${call.length > MOST_SHOWN_CHARS ? ` … (${call.length} characters)` : ''}`,
    ...(stdin === undefined ? [] : [`Standard input: ${stdin.length} characters`]),
    'It runs in the sandbox: without network, in an empty folder, with the folder of the skill read-only.',
    `Content: ${digest}`,
  ].join('\n');
  return { text, skillId: entry.id, digest, script, args, trusted };
}

function textOf({ exitCode, stdout, stderr, truncated, error }: ExecutionRecord): string {
  const cut = (text: string): string => (text.length > MOST_OUTPUT_CHARS ? `${text.slice(0, MOST_OUTPUT_CHARS)}\n[cut]` : text);
  const lines = [
    error?.message ?? `exit code ${exitCode ?? 'none'}${truncated ? ', output cut at its limit' : ''}`,
    ...(stdout === '' ? [] : [`<stdout>\n${cut(stdout)}\n</stdout>`]),
    ...(stderr === '' ? [] : [`<stderr>\n${cut(stderr)}\n</stderr>`]),
  ];
  return lines.join('\n');
}
