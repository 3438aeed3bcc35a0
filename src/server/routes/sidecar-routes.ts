import path from 'node:path';
import { writeWhole } from '../../host/local-write.ts';
import { SIDECAR_ENDPOINTS as API, type Output } from '../../api/sidecar-endpoints.ts';
import type { BrowserRequest, BrowserTarget } from '../../protocol/browser.ts';
import { textOf } from '../../protocol/content.ts';
import { messageOf, SkillmintError } from '../../protocol/errors.ts';
import type { ToolOutcome } from '../../protocol/tool.ts';
import type { Sidecar } from '../../runtime/sidecar/sidecar.ts';
import { allowedFolder } from '../allowed-folder.ts';
import { route, type Route } from '../route.ts';
import type { Tenant } from '../tenant.ts';

const USUAL_COUNT = 5;

/** Browser, MCP servers and searches for a host application. */
export function sidecarRoutes(): readonly Route[] {
  return [...browserRoutes(), ...serverRoutes(), route(API.searchWeb, async ({ tenant, body: { query, count = USUAL_COUNT }, signal }) => outputOf(await (await sidecarOf(tenant)).search({ query, count }, signal)))];
}

function browserRoutes(): readonly Route[] {
  const browse = async (tenant: Tenant, request: BrowserRequest, signal: AbortSignal): Promise<Output> => outputOf((await (await sidecarOf(tenant)).browse(request, signal)).outcome);
  return [
    route(API.browserNavigate, async ({ tenant, body: { url }, signal }) => browse(tenant, { action: 'navigate', url: addressOf(url) }, signal)),
    route(API.browserClick, async ({ tenant, body, signal }) => browse(tenant, { action: 'click', target: targetOf(body), button: 'left', times: 1 }, signal)),
    route(API.browserType, async ({ tenant, body: { text, ...target }, signal }) => browse(tenant, { action: 'type', target: targetOf(target), text, submit: false, keys: false }, signal)),
    route(API.browserSnapshot, async ({ tenant, signal }) => browse(tenant, { action: 'snapshot' }, signal)),
    route(API.browserEvaluate, async ({ tenant, body: { script }, signal }) => browse(tenant, { action: 'evaluate', code: script }, signal)),
    route(API.browserContent, async ({ tenant, signal }) => browse(tenant, { action: 'content', offset: 0 }, signal)),
    route(API.browserClose, async ({ tenant, signal }) => browse(tenant, { action: 'close' }, signal)),
    route(API.browserScreenshot, async ({ tenant, body, signal }) => {
      const file = body.path === undefined ? undefined : fileFor(tenant, body.path);
      const { outcome, file: picture } = await (await sidecarOf(tenant)).browse({ action: 'screenshot', fullPage: false }, signal);
      if (!picture) return outputOf(outcome);
      if (file === undefined) return { output: Buffer.from(picture.bytes).toString('base64') };
      // What has put a symlink there would choose the file.
      await saving(file, () => writeWhole(file, picture.bytes, { shown: file, follow: false }));
      return { output: file };
    }),
  ];
}

function serverRoutes(): readonly Route[] {
  return [
    route(API.addMcpServer, async ({ tenant, body: { name, ...form } }) => jsonOutput(await (await sidecarOf(tenant)).servers.add(name, form))),
    route(API.removeMcpServer, async ({ tenant, body: { name } }) => {
      await (await sidecarOf(tenant)).servers.remove(name);
      return { output: `The MCP server ${name} was ended.` };
    }),
    route(API.listSidecarServers, async ({ tenant }) => jsonOutput((await sidecarOf(tenant)).servers.list())),
    route(API.listMcpTools, async ({ tenant, body: { server_name } }) => jsonOutput(await (await sidecarOf(tenant)).servers.tools(server_name))),
    route(API.callMcpTool, async ({ tenant, body: { server_name, tool_name, arguments: input = {} }, signal }) => outputOf(await (await sidecarOf(tenant)).servers.call({ server: server_name, tool: tool_name, input, signal }))),
  ];
}

/** Programs are started and pages are opened with the rights of the server: only administrators may. */
function sidecarOf(tenant: Tenant): Promise<Sidecar> {
  if (tenant.role !== 'admin') throw new SkillmintError('permission_denied', 'Only an administrator of this server may do that.');
  return tenant.runtime.sidecar(allowedFolder(tenant, undefined));
}

/** @throws SkillmintError call_failed for a call that went wrong, with what is said of it */
function outputOf({ status, content }: ToolOutcome): Output {
  const output = textOf(content);
  if (status !== 'ok') throw new SkillmintError('call_failed', output);
  return { output };
}

function jsonOutput(value: object): Output {
  return { output: JSON.stringify(value) };
}

function addressOf(url: string): string {
  if (!URL.canParse(url)) throw new SkillmintError('invalid_argument', `${JSON.stringify(url.slice(0, 200))} is no address. Write it whole: https://example.com/`);
  return url;
}

function targetOf({ selector, ref }: BrowserTarget): BrowserTarget {
  if ((selector === undefined) === (ref === undefined)) throw new SkillmintError('invalid_argument', 'Give either "selector" or "ref".');
  return ref === undefined ? { selector: selector ?? '' } : { ref };
}

function fileFor(tenant: Tenant, file: string): string {
  return path.join(allowedFolder(tenant, path.dirname(file)), path.basename(file));
}

async function saving(file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new SkillmintError('io', `${file} cannot be written: ${messageOf(error)}`, { cause: error });
  }
}
