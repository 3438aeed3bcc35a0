import { runOfCall, type CallQuestion, type SessionState } from '../../protocol/session-state.ts';
import { failed, ok, type ToolOutcome, type ToolWaiting } from '../../protocol/tool.ts';
import { textOf } from '../../protocol/content.ts';
import type { Resolution } from '../../skills/discover/resolve-skill.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import type { SkillView } from '../../skills/skill-view.ts';
import type { SkillAccess, SkillCall, Tool } from '../../tools/define.ts';
import type { ActivationParts } from './activate-skill.ts';

const MOST_FOUND = 8;

/** How skills run as tasks of sub-agents. */
export interface ForkAccess {
  /** Undefined in a session that starts no sub-agents. */
  readonly start: ((entry: SkillEntry, args: string | undefined, call: SkillCall) => Promise<ToolOutcome | ToolWaiting>) | undefined;
  /** Goes on with the run that has waited for this answer, or that a crash has cut off. */
  readonly resume: (call: SkillCall, answered: CallQuestion | undefined) => Promise<ToolOutcome | ToolWaiting>;
}

/** What the skill tools of one session work with. */
export interface SkillAccessParts {
  readonly activation: ActivationParts;
  /** Undefined when the session has no skills. */
  readonly skills: SkillView | undefined;
  readonly state: SessionState;
  /** Tools that the model was not told of and may call. */
  readonly deferred: () => Promise<readonly Tool[]>;
  /** Sentences on tools that cannot be found now. */
  readonly problems: () => Promise<readonly string[]>;
  /** Runs skills as tasks of sub-agents. */
  readonly fork: ForkAccess;
}

/** What `Skill` and `FindTools` do in a session. */
export function skillAccess(parts: SkillAccessParts): SkillAccess {
  const { skills, state } = parts;
  return {
    load: async ({ name, args }, call) => {
      // The run has begun, whatever has become of the skill since.
      if (call.answered || runOfCall(state, call.callId)?.status === 'running') return parts.fork.resume(call, call.answered);
      const found: Resolution = skills ? await skills.resolve(name) : { kind: 'missing', suggestions: [] };
      if (found.kind !== 'found') return failed(problemOf(name, found));
      const refusal = refusalOf(found.entry, call);
      if (refusal !== undefined) return failed(refusal);
      if (state.skills.get(found.entry.id)?.trigger === 'bound') return ok(`The session is bound to the skill ${found.entry.name}: its instructions stand in the system prompt and hold already.`, { details: { skill_id: found.entry.id } });
      // Where no sub-agents are started the instructions are loaded like any others.
      if (found.entry.frontmatter.context === 'fork' && parts.fork.start) return parts.fork.start(found.entry, args, call);
      return loadHere(parts, found.entry, args, call);
    },
    find: async (query) => {
      const { findDeferred, foundText } = await import('./find-text.ts');
      const ranked = skills ? await skills.rank(query, MOST_FOUND) : [];
      return foundText(query, { skills: ranked.filter(({ score }) => score > 0), tools: findDeferred(await parts.deferred(), query), problems: await parts.problems() });
    },
  };
}

async function loadHere({ activation, state }: SkillAccessParts, entry: SkillEntry, args: string | undefined, call: SkillCall): Promise<ToolOutcome> {
  const { activateSkill } = await import('./activate-skill.ts');
  const { event, warnings } = await activateSkill(activation, entry, { trigger: call.by === 'person' ? 'user' : 'model', args });
  const details = { skill_id: entry.id };
  const known = state.skills.get(entry.id);
  if (known?.body === event.body && standsInHistory(state, event.body)) return ok(`The skill ${entry.name} is loaded already; its instructions above hold.`, { details, events: [event, ...warnings] });
  return ok(event.body, { details, events: [event, ...warnings] });
}

function standsInHistory({ messages }: SessionState, body: string): boolean {
  return messages.some(({ message }) => message.content.some((part) => (part.type === 'text' ? part.text.includes(body) : part.type === 'tool_result' && textOf(part.content).includes(body))));
}

function refusalOf({ name, frontmatter }: SkillEntry, { by }: SkillCall): string | undefined {
  if (by !== 'person' && frontmatter.disableModelInvocation === true) return `The skill ${name} may only be called by the person, as /${name}.`;
  if (by === 'person' && frontmatter.userInvocable === false) return `The skill ${name} is for the model alone (user-invocable: false).`;
  return undefined;
}

function problemOf(name: string, found: Exclude<Resolution, { kind: 'found' }>): string {
  switch (found.kind) {
    case 'unusable': return `The skill ${name} cannot be used: ${found.reason}.`;
    case 'ambiguous': return `"${name}" could be ${found.candidates.join(' or ')}. Call Skill with one of these.`;
    case 'missing': if (found.unread) return `There is no skill "${name}" among those that have been read so far; others are still being read. Try again in a moment.`;
      return found.suggestions.length > 0 ? `There is no skill "${name}". Did you mean ${found.suggestions.join(' or ')}?` : `There is no skill "${name}". Look for one with FindTools.`;
  }
}
