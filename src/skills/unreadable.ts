import { messageOf, systemCode } from '../protocol/errors.ts';

/** Why something on disk cannot be read and what to do, as a clause; an error that has no remedy of its own is told as the system does. */
export function whyUnreadable(error: unknown): string {
  switch (systemCode(error)) {
    case 'EACCES':
    case 'EPERM':
      return 'you lack the right to read it; give it to yourself with chmod, or move it away';
    case 'ENOENT':
    case 'ENOTDIR':
      return 'it leads to nothing; mend or remove it';
    case 'ELOOP':
      return 'it leads back to itself; remove it';
    default:
      return messageOf(error);
  }
}
