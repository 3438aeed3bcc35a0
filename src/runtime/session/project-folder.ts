import type { SessionState } from '../../protocol/session-state.ts';

/** The folder whose settings, skills, agents, instructions and stored answers hold in the session: its own, or the one that its worktree was made for. A copy brings none. */
export function projectFolder({ cwd, agent }: Pick<SessionState, 'cwd' | 'agent'>): string {
  return agent?.worktree?.of ?? cwd;
}
