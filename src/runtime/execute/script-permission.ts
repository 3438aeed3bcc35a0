import type { LoadedSettings } from '../../config/load-settings.ts';
import type { HostFiles, ReadTree } from '../../host/host.ts';
import { commandGrants, type CommandGrants } from '../../permissions/command-grants.ts';
import { decide } from '../../permissions/decide.ts';
import { parseRules } from '../../permissions/rules.ts';
import { PermissionError } from '../../protocol/errors.ts';
import type { PermissionNeed } from '../../protocol/permission.ts';
import { locateAll } from '../permissions/permit.ts';
import { checkSettingsRules, settingsRules } from '../permissions/session-rules.ts';

/** A script that a person wants to run. */
export interface WantedScript {
  readonly settings: LoadedSettings;
  readonly tree: Pick<ReadTree, 'read'>;
  readonly files: HostFiles;
  readonly home: string;
  /** Where it will run. */
  readonly cwd: string;
  readonly skill: { readonly id: string; readonly name: string };
  readonly argv: readonly string[];
}

/**
 * Holds a person's own call against the deny rules of the settings, for the skill and for the command; the result is what
 * rules give to commands. Nobody is asked: the call is the consent. Rejects with `permission_denied`, and `config_invalid` for rules that cannot be understood.
 */
export async function scriptRights({ settings, tree, files, home, cwd, skill, argv }: WantedScript): Promise<CommandGrants> {
  await checkSettingsRules(tree, settings);
  const { rules } = parseRules(settingsRules(settings));
  const command = argv.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const calls: readonly { readonly tool: string; readonly needs: readonly PermissionNeed[] }[] = [
    { tool: 'Skill', needs: [{ action: 'skill', skill: skill.name, id: skill.id }] },
    { tool: 'Bash', needs: [{ action: 'command', command, cwd }] },
  ];
  for (const call of calls) {
    const verdict = decide({ call, mode: 'unrestricted', rules, workspace: { roots: [cwd], readableRoots: [], home }, locate: await locateAll(files, call.needs) });
    if (verdict.verdict === 'deny') throw new PermissionError(`A script of the skill ${skill.name} cannot be run: ${verdict.reason}.`);
  }
  return commandGrants(rules);
}
