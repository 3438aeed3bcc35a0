import type { SkillDiagnostic } from '../../protocol/skill.ts';
import { estimateTokens } from '../../util/estimate-tokens.ts';
import { bodyPieces } from '../activate/body-pieces.ts';
import { indexedPlaceholders, usesArguments } from '../activate/placeholders.ts';
import { info, warning } from '../read/diagnostic.ts';
import type { SkillFrontmatter } from '../read/fields.ts';
import type { Subject } from './subject.ts';

const BODY_TOKENS = 5_000;
const MOST_SHOWN = 20;
const BACKSLASHES = /(?:^|[\s`("'[])((?:\.{1,2}\\)?(?:[\w.-]+\\)+[\w.-]+\.[A-Za-z0-9]{1,5})(?=$|[\s`)"'\],;:])/m;
/** A line that tells somebody to do something: a numbered step, or one of the words that such lines begin with. */
const TASK_LINE =
  /^[ \t]*(?:\d+[.)]\s+|(?:[-*+]\s+)?(?:\*\*)?(?:please\s+)?(?:add|analy[sz]e|answer|ask|build|check|clone|collect|compare|compile|create|delete|deploy|describe|draft|execute|explain|extract|fetch|find|fix|gather|generate|get|give|identify|implement|improve|inspect|install|investigate|list|load|look|make|merge|migrate|open|perform|plan|print|process|produce|provide|publish|read|refactor|remove|report|research|return|review|rewrite|run|scan|search|send|set|show|start|suggest|summari[sz]e|take|test|translate|trace|try|update|upgrade|validate|verify|visit|write)\b|.*(?:请|生成|检查|分析|总结|执行|运行|创建|编写|修复))/im;

/** What is judged of the instructions, whoever reads them. */
export function bodyRules({ document: { body, frontmatter } }: Subject): SkillDiagnostic[] {
  const out: SkillDiagnostic[] = [];
  const tokens = estimateTokens(body);
  if (tokens > BODY_TOKENS) out.push(warning('body-too-long', `the body has about ${tokens} tokens; above ${BODY_TOKENS} parts of it belong into files of their own`));
  const backslash = BACKSLASHES.exec(body)?.[1];
  if (backslash !== undefined) out.push(warning('backslash-path', `the path ${backslash} is written with backslashes, which only Windows understands`, backslash.replaceAll('\\', '/')));
  return [...out, ...forkRule(body, frontmatter), ...placeholderNotes(body, frontmatter)];
}

/** A sub-agent that gets the body alone needs something to do in it. */
function forkRule(body: string, frontmatter: SkillFrontmatter): SkillDiagnostic[] {
  if (frontmatter.context !== 'fork') return [];
  const hasTask = usesArguments(body, frontmatter.arguments ?? []) || TASK_LINE.test(body);
  return hasTask ? [] : [warning('fork-without-task', 'context: fork hands the body to a sub-agent as its task, and nothing in it says what to do', 'say what to do, or put $ARGUMENTS where the request belongs')];
}

/** Each `$N`, so that an awk or shell script that is meant literally is noticed. */
function placeholderNotes(body: string, { arguments: names, argumentHint, firstArgument = 0 }: SkillFrontmatter): SkillDiagnostic[] {
  const declared = names !== undefined || argumentHint !== undefined;
  const found = new Map<string, SkillDiagnostic>();
  let line = 1;
  for (const { kind, text } of bodyPieces(body)) {
    const inCode = kind === 'code' || kind === 'fence';
    for (const [offset, each] of text.split('\n').entries()) {
      for (const placeholder of indexedPlaceholders(each)) {
        const index = Number(/\d+/.exec(placeholder)?.[0]) - (placeholder.startsWith('$ARGUMENTS') ? 0 : firstArgument);
        if (index < 0) continue;
        const when = inCode && !declared ? 'when arguments are given, in code too' : 'when it is given';
        const at = line + offset;
        found.set(`${placeholder} ${at}`, info('placeholder', `line ${at} of the body: ${placeholder} becomes argument ${index + 1} ${when}`, `\\${placeholder}`));
      }
    }
    line += text.split('\n').length - 1;
  }
  const notes = [...found.values()];
  return notes.length <= MOST_SHOWN ? notes : [...notes.slice(0, MOST_SHOWN), info('placeholder', `and ${notes.length - MOST_SHOWN} more placeholders`)];
}
