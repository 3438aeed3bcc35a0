import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { INSTALL_FROM, SKILL_ENDPOINTS } from '../../api/skill-endpoints.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { InstallSource } from '../../runtime/library/skill-service.ts';
import { allowedFolder } from '../allowed-folder.ts';
import { asJson } from '../as-json.ts';
import { valueCheck } from '../check-value.ts';
import { readBytes, readJson, USUAL_BODY } from '../request-body.ts';
import { route, type Route } from '../route.ts';

/** `POST /api/skills/install`: an archive as the body, or `{source}`. */
export function installRoute(): Route {
  const { check } = valueCheck();
  const { installSkill } = SKILL_ENDPOINTS;
  return route(installSkill, async ({ tenant, query: { cwd, scope = 'user', replace, name }, raw, signal }) => {
    const service = await tenant.runtime.library(allowedFolder(tenant, cwd));
    const wish = { scope, replace: replace === 'true', signal, progress: () => undefined };
    const asked = async (): Promise<Parameters<typeof service.install>> => {
      const { source, skills, trust_signer } = check(INSTALL_FROM, await readJson(raw, USUAL_BODY), 'body');
      return [{ source }, { ...wish, ...(skills ? { pick: skills } : {}), ...(trust_signer === undefined ? {} : { signer: trust_signer }) }];
    };
    const isJson = (raw.headers.get('content-type') ?? '').startsWith('application/json');
    const result = isJson ? await service.install(...(await asked())) : await withUpload(await readBytes(raw, installSkill.bytes?.most ?? 0), name ?? 'The archive', (from) => service.install(from, wish));
    return { ...result, provenance: asJson(result.provenance) };
  });
}

async function withUpload<T>(bytes: Uint8Array, name: string, work: (from: InstallSource) => Promise<T>): Promise<T> {
  if (bytes.byteLength === 0) throw new SkillmintError('invalid_argument', 'The body is empty: send a .zip, .tgz or .skillpack file, or {"source":"…"} as JSON.');
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'skillmint-upload-'));
  try {
    const file = path.join(folder, 'upload');
    await fs.writeFile(file, bytes, { mode: 0o600 });
    return await work({ file, name });
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}
