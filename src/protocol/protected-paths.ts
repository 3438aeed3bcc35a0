/**
 * Names of files and folders in a workspace that decide what runs later outside the sandbox. The edit tools ask before
 * they touch anything under such a name, at any depth.
 */
export const PROTECTED_NAMES: readonly string[] = [
  '.git', '.gitconfig', '.gitmodules', '.skillmint', '.claude', '.agents', '.mcp.json', '.vscode', '.idea', '.husky', '.ssh', '.npmrc', '.envrc',
  '.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile', '.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout',
];

/**
 * Paths below a workspace's root that a sandboxed command can neither change nor create. Shorter than the list above:
 * a name that many projects hold without it being there yet would get in the way of daily work.
 */
export const PROTECTED_FROM_COMMANDS: readonly string[] = [
  '.skillmint', '.claude', '.mcp.json', '.vscode', '.bashrc', '.bash_profile', '.profile', '.zshrc', '.zshenv', '.envrc',
];

/** The one of them that skillmint itself goes by. */
export const PROTECTED_SETTINGS = '.skillmint';

/** Folder of worktrees of sub-agents, below that of a session. It lies where commands change nothing, so that none can put something in the place of a worktree. */
export const WORKTREES_FOLDER: readonly [string, string] = [PROTECTED_SETTINGS, 'worktrees'];

/** The same, below a `.git` folder. */
export const PROTECTED_IN_GIT: readonly string[] = ['hooks', 'config'];

/**
 * Files below a `.git` folder that lead git to other settings, and from there to programs: with what one says that leads nowhere, which
 * stands in for one that is not there. An empty folder in its place would stop git.
 */
export const PROTECTED_GIT_FILES: Readonly<Record<string, string>> = { commondir: '.\n', 'config.worktree': '' };

/** The same, in what a repository keeps of a worktree: files that lead to settings. */
export const PROTECTED_IN_WORKTREE: readonly string[] = ['commondir', 'config.worktree'];
