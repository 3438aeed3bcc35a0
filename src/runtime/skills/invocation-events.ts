import type { EventBody } from '../../protocol/events.ts';
import { parseInvocations } from '../../skills/activate/invocation.ts';
import type { SkillView } from '../../skills/skill-view.ts';

/** The calls that a person makes in a message, as `/name arguments` or `$name`, and what is to be said of names that cannot be called. */
export async function invocationEvents(skills: SkillView, text: string, newCallId: () => string): Promise<readonly EventBody[]> {
  const { invocations, refusals } = await parseInvocations(text, (name) => skills.resolve(name));
  return [
    ...invocations.map(({ entry, args }): EventBody => ({ type: 'tool.requested', call_id: newCallId(), tool: 'Skill', input: { skill: entry.handle, ...(args === undefined || args === '' ? {} : { args }) }, by: 'person' })),
    ...refusals.map((message): EventBody => ({ type: 'warning', code: 'skill_refused', message })),
  ];
}
