import type { ExecutionRecord } from '../protocol/execution.ts';
import type { InstalledSkill, SkillDiagnostic, SkillSummary } from '../protocol/skill.ts';
import type { JsonObject } from '../protocol/json.ts';
import { endpoint, NONE } from './endpoint.ts';
import { flag, list, number, object, oneOf, optional, shaped, text, whole } from './schema.ts';

const MEBIBYTE = 1_048_576;
/** As for archives from elsewhere. */
const ARCHIVE_BYTES = 50 * MEBIBYTE;
const INSTRUCTIONS_CHARS = 500_000;
const CWD = optional(text({ max: 4_096, description: 'Folder whose skills are meant; the first of serve.roots when left out.' }));
const HERE = object({ cwd: CWD });

/** A file of a skill; `size` in bytes. */
export interface ApiSkillFile {
  readonly path: string;
  readonly kind: string;
  readonly size: number;
}

/** A skill in a list; `score` where there was a query. */
export interface ApiListedSkill extends SkillSummary {
  /** As it lies there now. */
  readonly trusted: boolean;
  readonly score?: number;
}

/** A skill with all that can be shown of it. */
export interface ApiSkill extends SkillSummary {
  readonly trust: { readonly trusted: boolean; readonly why: string };
  readonly frontmatter: JsonObject;
  readonly diagnostics: readonly SkillDiagnostic[];
  readonly files: readonly ApiSkillFile[];
  /** The instructions, without the head of the file. */
  readonly body: string;
}

/** What a person decides by whether to trust a skill. */
export interface ApiTrust {
  readonly verdict: { readonly trusted: boolean; readonly why: string };
  readonly report: { readonly digest: string; readonly runs: readonly { readonly path: string; readonly why: string }[]; readonly grants: readonly string[]; readonly hooks: readonly string[]; readonly commands: readonly string[]; readonly overrides: readonly string[]; readonly network: readonly string[]; readonly gaps: readonly string[] };
  /** Since it was trusted. */
  readonly difference?: ApiTrustDifference;
}

/** What is new and what is gone; only what changed is listed. */
export interface ApiTrustDifference {
  readonly files: { readonly added: readonly string[]; readonly removed: readonly string[]; readonly changed: readonly string[] };
  /** By kind: `runs`, `grants`, `hooks`, `commands`, `overrides`. */
  readonly claims: Readonly<Record<string, { readonly added: readonly string[]; readonly removed: readonly string[] }>>;
}

const SKILL = shaped<ApiSkill>('A skill: id, name, description, source, path, status, reason, enabled, digest, trust, frontmatter, diagnostics, files, body.');
const LISTED = shaped<ApiListedSkill>('A skill: id, name, description, source, path, status, reason, enabled, trusted, digest; score where there was a query.');

const COMPLETE = flag('Of a query: false while skills are read for the first time; asked again, more of them are found.');

/** What `installSkill` takes as JSON, in the place of an archive. */
export const INSTALL_FROM = object({ source: text({ min: 1, max: 4_096, description: 'As on the command line: OWNER/REPO, npm:PACKAGE, an https address, a folder.' }), skills: optional(list(text(), { max: 100 })), trust_signer: optional(text({ description: 'Who is expected to have signed a .skillpack.' })) });

/** Skills: found, looked at, made, installed, changed, trusted, run. */
export const SKILL_ENDPOINTS = {
  listSkills: endpoint({ method: 'GET', path: '/api/skills', summary: 'Lists skills with their status; with query only those that fit, best first.', query: object({ cwd: CWD, query: optional(text({ max: 10_000 })), source: optional(text()) }), body: NONE, answer: object({ skills: list(LISTED, { max: 1_000_000 }), complete: optional(COMPLETE) }) }),
  createSkill: endpoint({
    method: 'POST', path: '/api/skills', summary: 'Makes a skill of the person: of name, description and instructions, or by the skill agent of a prompt, which takes a while and can be stopped by ending the request.', status: 201, query: NONE,
    body: object({ prompt: optional(text({ min: 1, max: 20_000, description: 'What the skill is to do; then description and instructions are left out, and name and source may be.' })), name: optional(text({ min: 1, max: 64 })), description: optional(text({ min: 1, max: 2_000 })), instructions: optional(text({ max: INSTRUCTIONS_CHARS })), source: optional(oneOf(['user', 'project'], 'Where it lies: with the person, or in the project of cwd.')), model: optional(text({ description: 'With prompt: PROVIDER/MODEL.' })), cwd: CWD }),
    answer: object({ id: text(), name: text(), folder: text(), digest: text(), trusted: flag(), summary: optional(text({ max: 10_000, description: 'Of the skill agent.' })), warnings: optional(list(text({ max: 10_000 }))), session_id: optional(text({ description: 'Of the skill agent.' })) }),
  }),
  refreshSkills: endpoint({ method: 'POST', path: '/api/skills/refresh', summary: 'Looks at all skills anew; says how many can be used.', query: NONE, body: HERE, answer: object({ total: whole({ min: 0, max: 1e9 }) }) }),
  searchSkills: endpoint({
    method: 'POST', path: '/api/skills/search', summary: 'Ranks skills for a question, as a turn does.', query: NONE,
    body: object({ query: text({ min: 1, max: 100_000 }), k: optional(whole({ min: 1, max: 1_000 })), cwd: CWD }),
    answer: object({ skills: list(object({ id: text(), name: text(), description: text({ max: 10_000 }), score: number() })), complete: COMPLETE }),
  }),
  installSkill: endpoint({
    method: 'POST', path: '/api/skills/install', status: 201, bytes: { type: 'application/zip', most: ARCHIVE_BYTES },
    summary: 'Installs skills: of an archive that is the body (zip, tgz, skillpack), or of {source, skills?, trust_signer?} as JSON. None of their code runs.',
    query: object({ cwd: CWD, scope: optional(oneOf(['user', 'project'])), replace: optional(oneOf(['true', 'false'])), name: optional(text({ max: 200, description: 'Name of the archive, for the record.' })) }),
    body: NONE,
    answer: object({ installed: list(shaped<InstalledSkill>('id, name, description, folder, digest, replaced, files, warnings.')), notes: list(text({ max: 10_000 })), scope: text(), provenance: shaped('Where they came from.') }),
  }),
  showSkill: endpoint({ method: 'GET', path: '/api/skills/:id', summary: 'Shows a skill: status, trust, files, instructions.', query: HERE, body: NONE, answer: SKILL }),
  changeSkill: endpoint({ method: 'PATCH', path: '/api/skills/:id', summary: 'Changes the description, or switches the skill on or off; one of the two.', query: HERE, body: object({ description: optional(text({ min: 1, max: 2_000 })), enabled: optional(flag()) }), answer: SKILL }),
  removeSkill: endpoint({ method: 'DELETE', path: '/api/skills/:id', summary: 'Removes a skill of the person or the project, with its files.', query: HERE, body: NONE, answer: object({ removed: text() }) }),
  runSkillScript: endpoint({
    method: 'POST', path: '/api/skills/:id/exec', summary: 'Runs a script of a skill in the sandbox.', query: NONE, most: 8 * MEBIBYTE,
    body: object({ script: optional(text({ min: 1 })), args: optional(list(text({ max: 100_000 }))), stdin: optional(text({ max: 4 * MEBIBYTE })), timeout_ms: optional(whole({ min: 1, max: 3_600_000 })), cwd: CWD }),
    answer: shaped<ExecutionRecord>('How it ran: stdout, stderr, exitCode, durationMs, timedOut, truncated, error.'),
  }),
  examineSkill: endpoint({ method: 'GET', path: '/api/skills/:id/trust', summary: 'Says what a skill could do once it is trusted, and whether it is.', query: HERE, body: NONE, answer: shaped<ApiTrust>('verdict, report (with the digest to trust), difference since it was trusted.') }),
  trustSkill: endpoint({ method: 'POST', path: '/api/skills/:id/trust', summary: 'Trusts a skill as it was looked at.', query: HERE, body: object({ digest: text({ min: 1, description: 'The one of GET …/trust.' }) }), answer: object({ trusted: flag() }) }),
  revokeSkill: endpoint({ method: 'DELETE', path: '/api/skills/:id/trust', summary: 'Takes the trust back.', query: HERE, body: NONE, answer: object({ trusted: flag(), revoked: flag('It was trusted before.') }) }),
  listSkillFiles: endpoint({ method: 'GET', path: '/api/skills/:id/files', summary: 'Lists the files of a skill.', query: HERE, body: NONE, answer: object({ files: list(shaped<ApiSkillFile>('path, kind, size.'), { max: 100_000 }) }) }),
  readSkillFile: endpoint({ method: 'GET', path: '/api/skills/:id/files/*', summary: 'Gives one file of a skill, to be saved.', query: HERE, body: NONE, answer: shaped<Response>('The bytes.'), answerType: 'application/octet-stream' }),
  openSkillFolder: endpoint({ method: 'POST', path: '/api/skills/:id/open', summary: 'Shows the folder of a skill in the file manager of the machine that the server runs on.', query: HERE, body: NONE, admin: true, answer: object({ folder: text() }) }),
};
