import { SKILL_ENDPOINTS as API } from '../../api/skill-endpoints.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { SkillService } from '../../runtime/library/skill-service.ts';
import { allowedFolder } from '../allowed-folder.ts';
import { FOREIGN_FILE_HEADERS } from '../guards/security-headers.ts';
import { route, type Route } from '../route.ts';
import { openOutside } from '../../host/open-outside.ts';
import type { Tenant } from '../tenant.ts';
import { installRoute } from './install-route.ts';
import { createRoute } from './create-route.ts';
import { shownSkill } from './shown-skill.ts';

/** Skills: found, looked at, made, changed, trusted, run. */
export function skillRoutes(): readonly Route[] {
  return [...libraryRoutes(), installRoute(), ...oneSkillRoutes(), ...trustRoutes(), ...fileRoutes()];
}

function libraryRoutes(): readonly Route[] {
  return [
    route(API.listSkills, async ({ tenant, query: { cwd, query, source } }) => {
      const service = await skillsOf(tenant, cwd);
      const all = (await service.list()).filter((skill) => source === undefined || skill.source === source);
      if (query === undefined || query.trim() === '') return { skills: all };
      const byId = new Map(all.map((skill) => [skill.id, skill]));
      const { skills, complete } = await service.search(query, all.length);
      return { complete, skills: skills.flatMap(({ id, score }) => {
        const skill = byId.get(id);
        return skill ? [{ ...skill, score }] : [];
      }) };
    }),
    createRoute(),
    route(API.refreshSkills, async ({ tenant, body: { cwd } }) => ({ total: await (await skillsOf(tenant, cwd)).refresh() })),
    route(API.searchSkills, async ({ tenant, body: { query, k = 10, cwd } }) => (await skillsOf(tenant, cwd)).search(query, k)),
  ];
}

function oneSkillRoutes(): readonly Route[] {
  return [
    route(API.showSkill, async ({ tenant, params: { id }, query: { cwd } }) => shownSkill(await (await skillsOf(tenant, cwd)).show(id))),
    route(API.changeSkill, async ({ tenant, params: { id }, query: { cwd }, body: { description, enabled } }) => {
      const service = await skillsOf(tenant, cwd);
      if ((description === undefined) === (enabled === undefined)) throw new SkillmintError('invalid_argument', 'Give either "description" or "enabled".');
      if (description !== undefined) await service.describe(id, description.trim());
      if (enabled !== undefined) await service.switch(id, enabled);
      return shownSkill(await service.show(id));
    }),
    route(API.removeSkill, async ({ tenant, params: { id }, query: { cwd } }) => {
      await (await skillsOf(tenant, cwd)).remove(id);
      return { removed: id };
    }),
    route(API.runSkillScript, async ({ tenant, params: { id }, signal, body: { script, args = [], stdin, timeout_ms, cwd } }) => (await skillsOf(tenant, cwd)).execute(id, args, { signal, ...(script === undefined ? {} : { script }), ...(stdin === undefined ? {} : { stdin }), ...(timeout_ms === undefined ? {} : { timeoutMs: timeout_ms }) })),
  ];
}

function trustRoutes(): readonly Route[] {
  return [
    route(API.examineSkill, async ({ tenant, params: { id }, query: { cwd } }) => {
      const { verdict, report, difference } = await (await skillsOf(tenant, cwd)).examine(id);
      return { verdict, report, ...(difference ? { difference } : {}) };
    }),
    route(API.trustSkill, async ({ tenant, params: { id }, query: { cwd }, body }) => {
      await (await skillsOf(tenant, cwd)).trust(id, body.digest);
      return { trusted: true };
    }),
    route(API.revokeSkill, async ({ tenant, params: { id }, query: { cwd } }) => ({ trusted: false, revoked: await (await skillsOf(tenant, cwd)).revoke(id) })),
  ];
}

function fileRoutes(): readonly Route[] {
  return [
    route(API.listSkillFiles, async ({ tenant, params: { id }, query: { cwd } }) => ({ files: shownSkill(await (await skillsOf(tenant, cwd)).show(id)).files })),
    route(API.readSkillFile, async ({ tenant, params: { id }, query: { cwd }, raw }) => {
      const bytes = await (await skillsOf(tenant, cwd)).readFile(id, restOfPath(raw.url));
      return new Response(Buffer.from(bytes), { headers: { 'content-type': isText(bytes) ? 'text/plain; charset=utf-8' : 'application/octet-stream', ...FOREIGN_FILE_HEADERS } });
    }),
    route(API.openSkillFolder, async ({ tenant, params: { id }, query: { cwd } }) => {
      const folder = await (await skillsOf(tenant, cwd)).folder(id);
      await openOutside(folder);
      return { folder };
    }),
  ];
}

function skillsOf(tenant: Tenant, cwd: string | undefined): Promise<SkillService> {
  return tenant.runtime.library(allowedFolder(tenant, cwd));
}

/** What follows `/files/`, decoded once: what is still encoded then is part of a name. */
function restOfPath(url: string): string {
  const [, rest = ''] = /^\/api\/skills\/[^/]*\/files\/(.*)$/s.exec(new URL(url).pathname) ?? [];
  try {
    return decodeURIComponent(rest);
  } catch (error) {
    throw new SkillmintError('invalid_argument', 'The path of the file is not encoded as UTF-8.', { cause: error });
  }
}

function isText(bytes: Uint8Array): boolean {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(bytes).includes('\0');
  } catch {
    // It is no UTF-8.
    return false;
  }
}
