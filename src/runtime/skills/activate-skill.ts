import type { Settings } from '../../config/settings.ts';
import type { ReadTree } from '../../host/host.ts';
import type { ReadNotes } from '../../memory/memory-notes.ts';
import type { EventBody, InjectedRun } from '../../protocol/events.ts';
import type { SkillTrigger } from '../../protocol/skill.ts';
import type { CommandOutcome, InjectedCommand } from '../../skills/activate/injected-commands.ts';
import { fitInstructions } from '../../skills/activate/fit-instructions.ts';
import { renderBody } from '../../skills/activate/render-body.ts';
import { skillToolText } from '../../skills/activate/skill-text.ts';
import { readSkillNow } from '../../skills/discover/read-now.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import { listSkillFiles } from '../../skills/files.ts';
import type { SkillTrust } from '../../skills/trust/trust-store.ts';
import { hooksOf } from '../hooks/hooks-of-skill.ts';
import { effectsOf, withheldFrom } from './skill-effects.ts';
import type { SkillModel } from './skill-model.ts';

type Activated = Extract<EventBody, { type: 'skill.activated' }>;

/** What the activation of a skill works with. */
export interface ActivationParts {
  readonly tree: ReadTree;
  readonly trust: SkillTrust;
  readonly settings: Pick<Settings, 'skills'>;
  /** The session belongs to a sub-agent. */
  readonly isSubAgent: boolean;
  /** The session's folder. */
  readonly cwd: string;
  readonly sessionId: string;
  /** The effort of the turn so far. */
  readonly effort: () => string | undefined;
  /** What a skill's `model` means here. */
  readonly modelOf: (wanted: string | undefined) => SkillModel;
  /** Runs a command that the instructions hold, if the rules and these grants allow it. */
  readonly runInjected: (command: InjectedCommand, grants: readonly string[]) => Promise<CommandOutcome>;
  /** Real folders of skills whose commands run now; they are readable with it. */
  readonly loading: Set<string>;
  /** The shell of commands whose skill names none. */
  readonly shell: 'bash' | 'powershell';
  /** What the memory of a skill holds for the prompt; undefined without memories. */
  readonly memoryOf: (skillId: string) => Promise<ReadNotes | undefined>;
  /** Tokens that the model to be asked next can hold. */
  readonly contextWindow: () => number;
}

/** How a skill is loaded. */
export interface ActivationRequest {
  readonly trigger: SkillTrigger;
  readonly args?: string | undefined;
}

/** A skill ready to come into force: the event that does it, and what a person should know. */
export interface Activation {
  readonly event: Activated;
  readonly warnings: readonly EventBody[];
}

/** Reads a skill anew and works out what it says and does in this session. Nothing is stored yet. */
export async function activateSkill(parts: ActivationParts, found: SkillEntry, { trigger, args }: ActivationRequest): Promise<Activation> {
  const { tree, settings } = parts;
  const { digest, frontmatter, body: instructions } = await readSkillNow(tree, found);
  const entry = { ...found, frontmatter };
  const verdict = parts.trust.of(entry, digest);
  const { allowedTools } = settings.skills;
  const model = parts.modelOf(entry.frontmatter.model);
  const options = { trusted: verdict.trusted, projectDir: parts.cwd, allowedTools, model: model.kind === 'other' ? model.name : undefined };
  const effects = effectsOf(entry, { ...options, grants: trigger !== 'bound' || parts.isSubAgent });
  const ownGrants = effectsOf(entry, { ...options, grants: true })?.grants ?? [];
  const { hooks, warnings: onHooks } = await hooksOf(entry, verdict);
  const commands: InjectedRun[] = [];
  const folder = tree.realPath(entry.folder);
  const text = await renderBody(entry, instructions, {
    args,
    projectDir: parts.cwd,
    sessionId: parts.sessionId,
    effort: effects?.effort ?? parts.effort(),
    shell: parts.shell,
    trusted: verdict.trusted,
    run: async (command) => {
      parts.loading.add(folder);
      const outcome = await parts.runInjected(command, ownGrants);
      commands.push({ command: command.command, ...(outcome.kind === 'exited' ? { exit_code: outcome.code } : { why: outcome.why }) });
      return outcome;
    },
  });
  const instructed = skillToolText(entry, fitInstructions(text, { contextWindow: parts.contextWindow(), file: entry.path }), listSkillFiles(tree, entry.folder));
  const memory = await parts.memoryOf(entry.id);
  const body = [instructed, memory?.text].filter(Boolean).join('\n\n');
  const withheld = verdict.trusted ? [] : withheldFrom(entry, { allowedTools });
  return {
    event: { type: 'skill.activated', skill_id: entry.id, trigger, digest, path: entry.path, folder, body, ...(hooks ? { hooks } : {}), ...(effects ? { effects } : {}), ...(commands.length > 0 ? { commands } : {}) },
    warnings: [
      ...(withheld.length > 0 ? [warning('skill_untrusted', `The skill ${entry.id} is not trusted (${verdict.why}), so it does not get: ${withheld.join(', ')}. To read and trust it: skillmint skills trust ${entry.handle}`)] : []),
      ...(verdict.trusted && model.kind === 'unknown' ? [warning('skill_model', `The skill ${entry.id} asks for the model ${entry.frontmatter.model ?? ''}, and ${model.why}; the session's model goes on.`)] : []),
      ...(memory?.problems ?? []).map((message) => warning('instructions', message)),
      ...onHooks,
    ],
  };
}

function warning(code: string, message: string): EventBody {
  return { type: 'warning', code, message };
}
