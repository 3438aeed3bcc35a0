import { messageOf, SkillmintError, systemCode } from '../../protocol/errors.ts';
import { cutStart } from '../../util/cut-text.ts';

const NAME_CHARS = 120;

/** The error for something that must not be installed; `why` is a clause without a full stop. */
export function refusal(why: string, cause?: unknown): SkillmintError {
  return new SkillmintError('install_refused', why, { cause });
}

/** A name out of a source, quoted and cut for a message. */
export function shown(name: string): string {
  return JSON.stringify(name.length > NAME_CHARS ? `${cutStart(name, NAME_CHARS)}…` : name);
}

/** Names for a message; the first ten of many. */
export function listText(names: readonly string[]): string {
  return `${names.slice(0, 10).join(', ')}${names.length > 10 ? ' …' : ''}`;
}

/**
 * Runs the reading of a source; what goes wrong in it becomes one sentence that names the source. Faults of the system's
 * files are `io`, all else is a reason to refuse: what the readers of archives throw are findings about the archive.
 */
export async function readingSource<T>(source: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SkillmintError) throw error.code === 'install_refused' ? refusal(`${source} is refused: ${error.message}. Nothing was installed.`, error) : error;
    if (error instanceof Error && 'syscall' in error) throw new SkillmintError('io', `${source} could not be unpacked: ${messageOf(error)}. Nothing was installed.`, { cause: error });
    const code = systemCode(error);
    throw refusal(`${source} is refused: the archive is damaged (${messageOf(error).replace(/\.$/, '')}${code === '' ? '' : `, ${code}`}). Nothing was installed.`, error);
  }
}
