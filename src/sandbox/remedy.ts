/** Why there is no sandbox, and the command that changes it. */
export interface SandboxProblem {
  readonly reason: string;
  readonly remedy: string;
}

/** Reads a small file of the system, for example below /proc; undefined when it is not there. */
export type ReadSystemFile = (path: string) => string | undefined;

const INSTALL: readonly (readonly [RegExp, string])[] = [
  [/debian|ubuntu|mint|raspbian/, 'sudo apt-get install -y bubblewrap'],
  [/fedora|rhel|centos|rocky|alma|amzn/, 'sudo dnf install -y bubblewrap'],
  [/arch|manjaro/, 'sudo pacman -S bubblewrap'],
  [/suse/, 'sudo zypper install bubblewrap'],
  [/alpine/, 'sudo apk add bubblewrap'],
  [/nixos/, 'nix profile install nixpkgs#bubblewrap'],
];

/** bubblewrap is not installed. */
export function missingBubblewrap(read: ReadSystemFile): SandboxProblem {
  const release = read('/etc/os-release') ?? '';
  const ids = [...release.matchAll(/^(?:ID|ID_LIKE)=(.*)$/gm)].map((match) => match[1] ?? '').join(' ').toLowerCase();
  const line = INSTALL.find(([pattern]) => pattern.test(ids))?.[1];
  return {
    reason: 'bubblewrap is not installed',
    remedy: line ?? 'install the package bubblewrap: sudo apt-get install -y bubblewrap, sudo dnf install -y bubblewrap, or sudo pacman -S bubblewrap',
  };
}

/** bubblewrap is there but could not build the sandbox; `said` is what it printed. */
export function refusedBubblewrap(said: string, read: ReadSystemFile): SandboxProblem {
  const message = said.split('\n').find((line) => line.startsWith('bwrap:'))?.slice('bwrap:'.length).trim() ?? said.trim().split('\n')[0] ?? '';
  const reason = message === '' ? 'bubblewrap ended without a word' : `bubblewrap could not start: ${message.slice(0, 200)}`;
  const setting = (path: string): string | undefined => read(path)?.trim();
  if (/namespace|uid map|gid map|loopback|RTM_NEWADDR|setgroups/i.test(message)) {
    if (setting('/proc/sys/user/max_user_namespaces') === '0') return { reason: `${reason} (user.max_user_namespaces is 0)`, remedy: 'sudo sysctl -w user.max_user_namespaces=15000' };
    if (setting('/proc/sys/kernel/unprivileged_userns_clone') === '0') return { reason: `${reason} (kernel.unprivileged_userns_clone is 0)`, remedy: 'sudo sysctl -w kernel.unprivileged_userns_clone=1' };
    if (setting('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === '1') {
      return { reason: `${reason} (AppArmor: kernel.apparmor_restrict_unprivileged_userns is 1)`, remedy: 'sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or give /usr/bin/bwrap an AppArmor profile that allows userns' };
    }
    const exceeded = /nesting depth|max_\S*_namespaces|ENOSPC/i.test(message);
    return { reason, remedy: exceeded ? 'raise the limits: sudo sysctl -w user.max_user_namespaces=15000 user.max_net_namespaces=15000 user.max_pid_namespaces=15000 user.max_mnt_namespaces=15000' : 'allow user namespaces: sudo sysctl -w user.max_user_namespaces=15000; in a container, start it with --security-opt seccomp=unconfined' };
  }
  if (/mount proc|pivot_root|Failed to make|remount|mount/i.test(message)) return { reason, remedy: 'in a container, start it with --security-opt seccomp=unconfined --security-opt systempaths=unconfined' };
  return { reason, remedy: 'run bwrap --ro-bind / / true to see it fail, or pass --sandbox off' };
}
