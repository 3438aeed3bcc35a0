import type { SkillEntry } from '../discover/skill-entry.ts';
import { foreignToolNote } from './foreign-tools.ts';
import { injectCommands, notRun, type CommandOutcome, type InjectedCommand, type InjectionPiece } from './injected-commands.ts';
import { composeCommand, type CommandShell } from './shell-words.ts';
import { fillPieces, joined, withArguments, type FilledPiece } from './substitute.ts';

/** What a body is rendered with. Folders are absolute. */
export interface RenderContext {
  /** What was typed or given behind the skill's name. */
  readonly args: string | undefined;
  readonly projectDir: string;
  readonly sessionId: string;
  readonly effort?: string | undefined;
  /** The shell of commands whose skill names none; bash unless told. */
  readonly shell?: CommandShell;
  /** False: no command runs, and each says so. */
  readonly trusted: boolean;
  /** Runs a command with the person's permissions. What it rejects with ends the rendering. */
  readonly run: (command: InjectedCommand) => Promise<CommandOutcome>;
}

/** What is needed of a skill. */
export type RenderedSkill = Pick<SkillEntry, 'folder' | 'frontmatter' | 'pluginRoot'>;

/**
 * A skill's body as the model gets it: placeholders filled in, commands replaced by their output, and a note on tool
 * names of other programs. The commands are those of the body as it was written: neither an argument nor an output can
 * add one, and an argument inside a command stays an argument.
 */
export async function renderBody(skill: RenderedSkill, body: string, context: RenderContext): Promise<string> {
  const { frontmatter, folder } = skill;
  const filled = fillPieces(body, {
    args: context.args,
    argumentNames: frontmatter.arguments ?? [],
    declared: frontmatter.arguments !== undefined || frontmatter.argumentHint !== undefined,
    folder,
    projectDir: context.projectDir,
    sessionId: context.sessionId,
    pluginRoot: skill.pluginRoot,
    effort: context.effort,
    firstArgument: frontmatter.firstArgument,
  });
  const pieces = filled.map((each) => injection(each, frontmatter.shell, context));
  const text = await injectCommands(pieces, context.run);
  // What went into a command that is not run is nowhere in the text.
  const shown = filled.filter(({ piece }, i) => piece.kind !== 'command' || pieces[i]?.kind === 'command');
  const whole = withArguments(text, context.args, shown);
  const note = foreignToolNote(body);
  return note === undefined ? whole : `${whole.trimEnd()}\n\n${note}`;
}

function injection({ piece, parts }: FilledPiece, named: string | undefined, context: RenderContext): InjectionPiece {
  if (piece.kind !== 'command') return { kind: 'text', text: joined(parts) };
  const end = piece.text.endsWith('\n') ? '\n' : '';
  if (!context.trusted) return { kind: 'text', text: `${notRun('this skill is not trusted')}${end}` };
  const composed = composeCommand(parts, shellOf(named) ?? context.shell ?? 'bash');
  if (composed.kind === 'unsafe') return { kind: 'text', text: `${notRun(composed.why)}${end}` };
  return { kind: 'command', command: { command: composed.command, shell: named }, end };
}

/** The shell that a skill's field names, where it is one of the two. */
function shellOf(named: string | undefined): CommandShell | undefined {
  const name = named?.toLowerCase();
  return name === 'bash' || name === 'powershell' ? name : undefined;
}
