/** How much may happen without a question; see contract.md for what each mode lets pass. */
export type PermissionMode = 'default' | 'acceptEdits' | 'plan' | 'dontAsk' | 'unrestricted';

/** All modes. */
export const PERMISSION_MODES: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan', 'dontAsk', 'unrestricted'];

/** One thing that a tool call needs before it may run; a tool declares them, the batch runner asks. */
export type PermissionNeed =
  | { readonly action: 'read'; readonly path: string }
  | { readonly action: 'edit'; readonly path: string }
  /** `cwd` is where it runs; what only shows files there needs no question. `shell` is set where no bash runs it. */
  | { readonly action: 'command'; readonly command: string; readonly cwd?: string; readonly shell?: 'powershell' }
  /** `acts` where more is done there than to fetch, such as to fill a form of that page. */
  | { readonly action: 'network'; readonly url: string; readonly acts?: true }
  /** `skill` is its name; `typed` is what the call says, where that is another spelling. */
  | { readonly action: 'skill'; readonly skill: string; readonly id?: string; readonly typed?: string }
  | { readonly action: 'task'; readonly agent: string; /** In a git worktree, which a command makes. */ readonly isolated?: true }
  /** Into plan mode, or out of it with a plan that the person accepts. */
  | { readonly action: 'plan'; readonly step: 'enter' | 'leave' }
  /** An entry of the program's own memory is kept or deleted. */
  | { readonly action: 'memory'; readonly key: string }
  | { readonly action: 'tool' };

/** A person's answer to a permission question. */
export type PermissionDecision = 'allow' | 'deny';

/** Whose hook lets a call pass without a question: the person's own, or that of a trusted skill. */
export type HookApproval = 'person' | 'skill';

/** How long an answer holds: this call, or as a stored rule. */
export type PermissionScope = 'once' | 'always';

/** Where a path of a call really lay when the call was decided on. */
export interface CallPlace {
  readonly path: string;
  readonly real: string;
}

/**
 * What is said about one call; `places` are those of its files, to which it is held when it runs. `rules` are what "always" would store, shown before they are stored; `unsandboxed` means
 * that consent is also consent to commands without a sandbox, for the session. Where `mode` is set, "always" sets that mode and stores no rule.
 */
export type PermissionVerdict =
  | { readonly verdict: 'allow'; readonly places?: readonly CallPlace[] }
  | { readonly verdict: 'deny'; readonly reason: string }
  | { readonly verdict: 'ask'; readonly reason: string; readonly rules: readonly string[]; readonly unsandboxed?: true; readonly mode?: PermissionMode; readonly places?: readonly CallPlace[] };
