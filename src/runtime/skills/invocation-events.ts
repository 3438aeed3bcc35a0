import type { EventBody } from '../../protocol/events.ts';
import type { SkillView } from '../../skills/skill-view.ts';

/** The calls that a person makes in a message, as `/name arguments`; what names no skill is text. */
export async function invocationEvents(skills: SkillView, text: string, newCallId: () => string): Promise<readonly EventBody[]> {
  const [, name, args = ''] = /^\s*\/([\w:.-]+)(?:\s+([^]*))?$/.exec(text) ?? [];
  if (name === undefined) return [];
  const found = await skills.resolve(name);
  if (found.kind !== 'found') return [];
  return [{ type: 'tool.requested', call_id: newCallId(), tool: 'Skill', input: { skill: found.entry.handle, ...(args === '' ? {} : { args }) }, by: 'person' }];
}
