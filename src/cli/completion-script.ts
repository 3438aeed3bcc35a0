import type { Command } from 'commander';
import { SkillmintError } from '../protocol/errors.ts';

/** Words that may follow a path of commands. */
interface Level {
  readonly path: string;
  readonly words: readonly string[];
}

/** A completion script made from the commands and flags of the program itself. */
export function completionScript(program: Command, shell: string): string {
  const levels = collectLevels(program, '');
  switch (shell) {
    case 'bash': return bashScript(levels);
    case 'zsh': return `autoload -U +X bashcompinit && bashcompinit\n${bashScript(levels)}`;
    case 'fish': return fishScript(levels);
    default: throw new SkillmintError('usage', `There is no completion for "${shell}". Use one of: bash, zsh, fish.`);
  }
}

function collectLevels(command: Command, path: string): readonly Level[] {
  const flags = command.options.flatMap((option) => (option.long ? [option.long] : []));
  const words = [...command.commands.map((child) => child.name()), ...flags, '--help'];
  return [{ path, words }, ...command.commands.flatMap((child) => collectLevels(child, `${path} ${child.name()}`.trim()))];
}

function bashScript(levels: readonly Level[]): string {
  const cases = levels.map(({ path, words }) => `    "${path}") words="${words.join(' ')}" ;;`).join('\n');
  return `_skillmint() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  case "$path" in
${cases}
    *) words="" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _skillmint skillmint
`;
}

function fishScript(levels: readonly Level[]): string {
  return levels.flatMap(({ path, words }) => {
    const here = path === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${path.split(' ').at(-1) ?? ''}`;
    return words.map((word) => (word.startsWith('--') ? `complete -c skillmint -n '${here}' -l ${word.slice(2)}` : `complete -c skillmint -f -n '${here}' -a ${word}`));
  }).join('\n').concat('\n');
}
