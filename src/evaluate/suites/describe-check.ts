import { never } from '../../util/never.ts';
import type { Check } from './suite.ts';

/** The check as a sentence for people, where its author has given none. */
export function describeCheck(check: Check): string {
  switch (check.type) {
    case 'file_exists': return `The file ${check.path} exists`;
    case 'file_absent': return `The file ${check.path} does not exist`;
    case 'file_matches': return `The file ${check.path} matches /${check.pattern}/`;
    case 'file_schema': return `The file ${check.path} fits its JSON schema`;
    case 'command': return `The command \`${check.command}\` exits with ${check.exit_code}`;
    case 'answer_contains': return `The answer contains "${check.value}"`;
    case 'answer_matches': return `The answer matches /${check.pattern}/`;
    case 'tool_called': return `The tool ${check.tool} is called${within(check.pattern)}`;
    case 'tool_not_called': return `The tool ${check.tool} is not called${within(check.pattern)}`;
    case 'script_used': return check.script === undefined ? 'A script of the skill is used' : `The script ${check.script} of the skill is used`;
    case 'skill_loaded': return 'The skill is loaded';
    case 'skill_not_loaded': return 'The skill is not loaded';
    default: return never(check);
  }
}

function within(pattern: string | undefined): string {
  return pattern === undefined ? '' : ` with an input that matches /${pattern}/`;
}
