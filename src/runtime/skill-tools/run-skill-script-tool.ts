import { createHash } from 'node:crypto';
import { PermissionError, SkillmintError } from '../../protocol/errors.ts';
import type { ExecutionRecord } from '../../protocol/execution.ts';
import { visibleText } from '../../protocol/visible-text.ts';
import { decide } from '../../permissions/decide.ts';
import { parseRules } from '../../permissions/rules.ts';
import { digestSkill } from '../../skills/digest.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import { findScript } from '../../skills/execute/find-script.ts';
import { slots } from '../../util/slots.ts';
import { settingsRules } from '../permissions/session-rules.ts';
import { countIn, optionalTextIn, textIn, textsIn } from './tool-input.ts';
import type { ScriptConsent, ScriptQuestion, SkillTool, SkillToolCall } from './skill-tool.ts';
import type { SkillToolParts } from './skill-tool-parts.ts';

const NAME = 'run_skill_script';
const USUAL_MS = 60_000;
const MOST_MS = 600_000;
/** Characters of each stream that a call gives. */
const MOST_OUTPUT_CHARS = 50_000;
/** Characters that a person is shown of a call, and of what the script reads. */
const MOST_SHOWN_CHARS = 2_000;
/** Scripts that run at the same time; further ones wait. */
const MOST_AT_ONCE = 8;

/** Runs a script of a skill in the sandbox, after the person or a rule has allowed it. */
export function runSkillScriptTool(tools: SkillToolParts): SkillTool {
  /** Digests of content that the person has allowed for as long as this program runs. */
  const allowed = new Set<string>();
  const places = slots();
  return {
    name: NAME,
    description: "Runs a script of a skill in a sandbox: without network, in an empty temporary folder, the skill's own folder read-only. The person may be asked first. Gives exit code and output.",
    inputSchema: {
      type: 'object',
      properties: {
        skill: { type: 'string', minLength: 1, description: 'Name or id.' },
        script: { type: 'string', minLength: 1, description: "Path relative to the skill's folder, such as scripts/report.py." },
        args: { type: 'array', items: { type: 'string' }, description: 'Arguments.' },
        stdin: { type: 'string', description: 'What it reads on standard input.' },
        timeout_ms: { type: 'integer', minimum: 1, maximum: MOST_MS, description: `${USUAL_MS} when left out.` },
      },
      required: ['skill', 'script'], additionalProperties: false,
    },
    readOnly: false,
    async call(input, { ask, signal = new AbortController().signal, onOutput } = {}) {
      const entry = await tools.skillNamed(textIn(input, 'skill'));
      const [script, args, stdin] = [textIn(input, 'script'), textsIn(input, 'args'), optionalTextIn(input, 'stdin')];
      const agreed = await requireConsent(tools, { entry, script, args, stdin, ask, allowed });
      const leave = await places.take(MOST_AT_ONCE, signal);
      if (!leave) throw new SkillmintError('interrupted', `The call was stopped before ${script} was run.`);
      try {
        return resultOf(await tools.service.execute(entry.id, args, { script, agreed, signal, timeoutMs: countIn(input, 'timeout_ms', USUAL_MS), ...(stdin === undefined ? {} : { stdin }), ...(onOutput ? { onOutput } : {}) }));
      } finally {
        leave();
      }
    },
  };
}

interface WantedRun {
  readonly ask: SkillToolCall['ask'];
  readonly entry: SkillEntry;
  readonly script: string;
  readonly args: readonly string[];
  readonly stdin: string | undefined;
  readonly allowed: Set<string>;
}

/** The digest of the content that may run. @throws PermissionError where neither rule nor person allows it */
async function requireConsent({ parts, cwd }: SkillToolParts, { entry, script, args, stdin, ask, allowed }: WantedRun): Promise<string> {
  const settings = await parts.settings(cwd);
  const { rules } = parseRules(settingsRules(settings));
  const { mode } = settings.values.permissions;
  const verdict = decide({ call: { tool: NAME, needs: [{ action: 'tool' }], readOnly: false }, mode, rules, workspace: { roots: [cwd], readableRoots: [], home: parts.home }, locate: [] });
  if (verdict.verdict === 'deny') throw new PermissionError(`The script may not run: ${verdict.reason}.`);
  const { tree, files } = parts.host;
  // Nobody is asked about what is not there.
  await findScript(tree.realPath(entry.folder), script, { tree, files, configured: settings.values.skills.interpreters });
  const { digest, diagnostics: [incomplete] } = digestSkill(tree, entry.folder);
  if (incomplete) throw new SkillmintError('not_trusted', `The content of ${entry.id} cannot be checked as a whole, so nobody can say what would run: ${incomplete.message}.`);
  const { trusted } = parts.trust.of(entry, digest, [cwd]);
  if ((verdict.verdict === 'allow' && trusted) || allowed.has(digest)) return digest;
  if (mode === 'dontAsk') throw new PermissionError('The script may not run: the mode dontAsk denies what would ask.');
  if (!ask) throw new PermissionError(`The script needs the consent of the person, who cannot be asked here. They can allow scripts of trusted skills with the rule ${NAME} in permissions.allow${trusted ? '' : `, and trust this skill with: skillmint skills trust ${entry.id}`}.`);
  const consent: ScriptConsent = await ask(questionOf({ entry, digest, script, args, stdin, trusted }));
  if (consent === 'no') throw new PermissionError('The person does not want this script to run. Go on without it, or ask them why.');
  if (consent === 'always' && trusted) allowed.add(digest);
  return digest;
}

function questionOf({ entry, digest, script, args, stdin, trusted }: Pick<ScriptQuestion, 'digest' | 'trusted'> & Pick<WantedRun, 'entry' | 'script' | 'args' | 'stdin'>): ScriptQuestion {
  const text = [
    `Run a script of the skill ${visibleText(entry.id)}${trusted ? '' : ', which you have not trusted'}?`,
    `Call: ${shown([script, ...args].map((word) => JSON.stringify(word)).join(' '))}`,
    ...(stdin === undefined ? [] : [`Standard input: ${shown(JSON.stringify(stdin))}`]),
    'It runs in the sandbox: without network, in an empty folder, with the folder of the skill read-only.',
    `Content: ${digest}`,
  ].join('\n');
  const id = createHash('sha256').update(JSON.stringify([entry.id, digest, script, args, stdin])).digest('hex');
  return { id, text, skillId: entry.id, digest, script, args, trusted };
}

function shown(text: string): string {
  return visibleText(text.length > MOST_SHOWN_CHARS ? `${text.slice(0, MOST_SHOWN_CHARS)} … (${text.length} characters)` : text);
}

function resultOf({ exitCode, error, timedOut, durationMs, ...record }: ExecutionRecord): Awaited<ReturnType<SkillTool['call']>> {
  const [stdout, stderr] = [cut(record.stdout), cut(record.stderr)];
  const truncated = record.truncated || stdout !== record.stdout || stderr !== record.stderr;
  const lines = [
    error?.message ?? `exit code ${exitCode ?? 'none'}${truncated ? ', output cut at its limit' : ''}`,
    ...(stdout === '' ? [] : [`<stdout>\n${stdout}\n</stdout>`]),
    ...(stderr === '' ? [] : [`<stderr>\n${stderr}\n</stderr>`]),
  ];
  return { text: lines.join('\n'), isError: exitCode !== 0, data: { exitCode, stdout, stderr, timedOut, truncated, durationMs } };
}

function cut(text: string): string {
  return text.length > MOST_OUTPUT_CHARS ? `${text.slice(0, MOST_OUTPUT_CHARS)}\n[cut]` : text;
}
