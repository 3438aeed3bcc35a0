import path from 'node:path';
import { messageOf } from '../../protocol/errors.ts';
import { listModels } from '../../model/listing.ts';
import { findSkills } from '../../runtime/skills/find-skills.ts';
import { packageRoot } from '../../runtime/package-root.ts';
import { settingsHooks } from '../../runtime/hooks/settings-hooks.ts';
import { findPlaces } from '../../runtime/parts.ts';
import { sandboxGuard } from '../../runtime/permissions/sandbox-guard.ts';
import { checkSettingsRules, ruleNotices } from '../../runtime/permissions/session-rules.ts';
import { isUsable } from '../../skills/discover/skill-entry.ts';
import { pluginsWithHooks } from '../../skills/plugins/plugins-with-hooks.ts';
import { VERSION } from '../../version.ts';
import { EXIT } from '../exit-codes.ts';
import { describeCodeCache } from '../code-cache.ts';
import { commandSettings } from '../load-settings.ts';
import { openRuntime } from '../open-runtime.ts';
import { oneLine, palette, printJson, write } from '../terminal.ts';

/** One thing that was looked at. `warn` works with less than it could; `fail` does not work. */
interface Finding {
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly text: string;
  readonly remedy?: string;
}

/** `skillmint doctor`: resolves to the exit code, 1 when something does not work. */
export async function doctorCommand(flags: { readonly json?: boolean }): Promise<number> {
  const findings = await examine();
  if (flags.json) await printJson({ version: VERSION, node: process.version, platform: process.platform, findings });
  else await print(findings);
  return findings.some((finding) => finding.state === 'fail') ? EXIT.failed : EXIT.done;
}

/** Each thing is looked at by itself, so that what is broken hides nothing else. */
async function examine(): Promise<readonly Finding[]> {
  return [
    { name: 'program', state: 'ok', text: `skillmint ${VERSION} on Node ${process.versions.node}, ${process.platform} ${process.arch}` },
    await tried('start', startFinding),
    await tried('settings', settingsFinding),
    await tried('sandbox', sandboxFinding),
    await tried('hooks', hooksFinding),
    await tried('mcp', mcpFinding),
    await tried('browser', browserFinding),
    await tried('skills', skillsFinding),
    await tried('store', storeFinding),
    await tried('models', modelsFinding),
  ];
}

async function tried(name: string, look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    return { name, state: 'fail', text: messageOf(error) };
  }
}

async function startFinding(): Promise<Finding> {
  const { isKept, text } = describeCodeCache();
  return { name: 'start', state: 'ok', text, ...(isKept ? {} : { remedy: 'skillmint works; to start faster, install it where you can write' }) };
}

async function settingsFinding(): Promise<Finding> {
  const { loaded } = await commandSettings();
  const { tree } = findPlaces({}).host;
  await checkSettingsRules(tree, loaded);
  const notices = [...loaded.notices, ...(await ruleNotices(tree, loaded))];
  if (notices.length > 0) return { name: 'settings', state: 'warn', text: notices.join(' ') };
  return { name: 'settings', state: 'ok', text: loaded.userFile };
}

async function sandboxFinding(): Promise<Finding> {
  const places = findPlaces({});
  const guard = sandboxGuard({ ...places, platform: places.host.platform });
  const { state, mechanism, reason, remedy } = await guard.report();
  const inside = mechanism === 'none' ? '' : `; ${guard.describe()}`;
  return { name: 'sandbox', state: state === 'isolated' ? 'ok' : 'warn', text: `${state}${mechanism === 'none' ? '' : ` (${mechanism})`}${reason === undefined ? '' : `: ${reason}`}${inside}`, ...(remedy === undefined ? {} : { remedy }) };
}

async function hooksFinding(): Promise<Finding> {
  const sets = await settingsHooks((await commandSettings()).loaded);
  const problems = sets.flatMap((set) => set.problems);
  const count = sets.reduce((sum, { hooks }) => sum + hooks.length, 0);
  const text = `${count} of settings, which run outside the sandbox with your rights; those of trusted skills run inside`;
  const { host, home } = findPlaces({});
  const ofPlugins = pluginsWithHooks(host.tree, home).map((name) => `those of the plugin ${name} never run, since trust is in single skills and not in plugins`);
  return { name: 'hooks', state: problems.length > 0 ? 'warn' : 'ok', text: [text, ...ofPlugins, ...problems].join('; ') };
}

async function mcpFinding(): Promise<Finding> {
  const { serversHere } = await import('../mcp/servers-here.ts');
  const { statusOf } = await import('../../runtime/mcp/server-status.ts');
  const { checkServers } = await import('../../runtime/mcp/check-servers.ts');
  const { servers, problems, host, loaded, data } = await serversHere();
  const checked = (await checkServers(servers, { host, allow: loaded.values.network.allow, dataFolder: data })).map((one) => ({ name: one.listed.name, ...statusOf(one) }));
  const said = checked.map(({ name, status, reason }) => `${name} ${status}${reason === undefined ? '' : ` (${reason})`}`);
  const text = servers.length === 0 ? 'no servers' : `${said.join(', ')}; programs run outside the sandbox with a scrubbed environment`;
  return { name: 'mcp', state: problems.length > 0 || checked.some(({ status }) => ['failed', 'starting', 'invalid', 'unapproved'].includes(status)) ? 'warn' : 'ok', text: [text, ...problems].join('; ') };
}

async function browserFinding(): Promise<Finding> {
  const { browserState } = await import('../../runtime/browser/browser-state.ts');
  const { isWhole, text } = browserState((await commandSettings()).loaded.values, findPlaces({}));
  return { name: 'browser', state: isWhole ? 'ok' : 'warn', text };
}

async function skillsFinding(): Promise<Finding> {
  const { loaded } = await commandSettings();
  const places = findPlaces({});
  const parts = { ...places, tree: places.host.tree, bundledFolder: path.join(packageRoot(), 'skills'), settings: loaded, now: Date.now };
  const { entries, problems } = await findSkills(process.cwd(), parts);
  const rejected = entries.filter((entry) => entry.status === 'rejected').length;
  const text = `${entries.filter(isUsable).length} usable of ${entries.length} found${problems.length > 0 ? `; ${problems.map((problem) => `${problem.path}: ${problem.message}`).join('; ')}` : ''}`;
  return { name: 'skills', state: rejected + problems.length > 0 ? 'warn' : 'ok', text, ...(rejected > 0 ? { remedy: 'skillmint skills list' } : {}) };
}

async function storeFinding(): Promise<Finding> {
  const runtime = await openRuntime({ terminal: false });
  try {
    return { name: 'store', state: 'ok', text: `${(await runtime.sessions.list({ limit: 1000 })).length} sessions` };
  } finally {
    await runtime.close();
  }
}

async function modelsFinding(): Promise<Finding> {
  const { loaded } = await commandSettings();
  const ready = new Set(listModels(loaded.values.providers, process.env).filter((model) => model.ready && model.provider !== 'demo').map((model) => model.provider));
  if (ready.size > 0) return { name: 'models', state: 'ok', text: `ready: ${[...ready].join(', ')}` };
  return { name: 'models', state: 'warn', text: 'no provider has a key, so the scripted demo model answers', remedy: 'set ANTHROPIC_API_KEY, OPENAI_API_KEY or another key; see: skillmint models list' };
}

async function print(findings: readonly Finding[]): Promise<void> {
  const paint = palette(process.stdout);
  const marks = { ok: paint.green('ok  '), warn: paint.yellow('warn'), fail: paint.red('fail') };
  for (const finding of findings) {
    await write(process.stdout, `${marks[finding.state]}  ${finding.name.padEnd(8)}  ${oneLine(finding.text)}\n`);
    if (finding.remedy !== undefined) await write(process.stdout, `      ${' '.repeat(8)}  → ${oneLine(finding.remedy)}\n`);
  }
}
