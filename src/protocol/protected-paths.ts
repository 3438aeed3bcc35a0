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

/** The same, below a `.git` folder. */
export const PROTECTED_IN_GIT: readonly string[] = ['hooks', 'config'];
