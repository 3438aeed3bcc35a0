import { localTree } from '../../host/local-tree.ts';
import { askTrust } from '../listings/ask-trust.ts';
import { examine } from '../../runtime/library/examined-skill.ts';
import { namedSkillOrFolder } from '../../runtime/library/named-skill.ts';
import { commandSettings } from '../load-settings.ts';
import { folderOf, type Conversation } from './conversation.ts';

/** Shows what a skill could do once it is trusted, as `skills trust` does, and trusts it after a yes. Rejects as that does. */
export async function trustInConversation(conversation: Conversation, name: string): Promise<void> {
  const { runtime, face } = conversation;
  const cwd = await folderOf(conversation);
  const { data } = await commandSettings(cwd);
  const here = { tree: localTree(), data, cwd, catalogue: await runtime.skills(cwd) };
  const skill = await namedSkillOrFolder(here, name);
  const examined = await examine(here, skill);
  if (examined.verdict.trusted) return face.notice(`${skill.id} is trusted: ${examined.verdict.why}`);
  if (!(await askTrust(here, [examined], face.confirm, face.print))) await face.notice(`${skill.id} is not trusted`);
}
