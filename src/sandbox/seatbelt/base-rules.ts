/**
 * What every command needs of macOS to start at all, and what it must not have although a profile that denies by default would
 * let it through. Absent with purpose: the services of keychains, preferences, Apple events, pasteboard and opening of programs,
 * arguments and environments of other processes (`kern.procargs2`), their list, and terminals.
 */
export const BASE_RULES: readonly string[] = [
  '(version 1)',
  '(deny default)',
  // Newer operations are not part of the default; links and clones would give a file a second path, and rules go by paths.
  '(deny process-info*)',
  ...['file-link', 'file-clone', 'nvram*'].map((operation) => `(if (defined? '${operation}) (deny ${operation}))`),
  '(allow process-fork)',
  '(allow process-exec)',
  // They hand work to programs outside.
  '(deny process-exec (literal "/bin/launchctl") (literal "/usr/bin/open") (literal "/usr/bin/osascript") (literal "/usr/bin/security"))',
  '(allow process-info* (target same-sandbox))',
  '(allow signal (target same-sandbox))',
  '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.system.opendirectoryd.membership") (global-name "com.apple.bsd.dirhelper") (global-name "com.apple.system.logger") (global-name "com.apple.logd") (global-name "com.apple.system.notification_center"))',
  '(allow ipc-posix-sem)',
  '(allow ipc-posix-shm-read* (ipc-posix-name "apple.shm.notification_center"))',
  `(allow sysctl-read ${['hw.', 'machdep.cpu.', 'kern.os', 'kern.sysv.', 'security.mac.lockdown_mode_state'].map((name) => `(sysctl-name-prefix "${name}")`).join(' ')} ${[
    'kern.argmax', 'kern.boottime', 'kern.hostname', 'kern.hv_vmm_present', 'kern.iossupportversion', 'kern.maxfiles', 'kern.maxfilesperproc', 'kern.maxproc', 'kern.maxprocperuid', 'kern.ngroups', 'kern.secure_kernel',
    'kern.tcsm_available', 'kern.tcsm_enable', 'kern.usrstack64', 'kern.version', 'kern.willshutdown', 'machdep.ptrauth_enabled', 'sysctl.proc_cputype', 'sysctl.proc_native', 'sysctl.proc_translated', 'vm.loadavg', 'vm.pagesize',
  ].map((name) => `(sysctl-name "${name}")`).join(' ')})`,
  '(allow sysctl-write (sysctl-name "kern.tcsm_enable") (sysctl-name "kern.grade_cputype"))',
  '(allow file-read* (literal "/") (literal "/dev/autofs_nowait") (literal "/dev/random") (literal "/dev/urandom") (literal "/dev/stdin"))',
  '(allow file-read* file-write-data file-ioctl (literal "/dev/null") (literal "/dev/zero") (literal "/dev/dtracehelper"))',
  '(allow file-read* file-write-data (literal "/dev/stdout") (literal "/dev/stderr") (subpath "/dev/fd"))',
];
