import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { isObject } from '../../src/protocol/json.ts';

const manifest: unknown = JSON.parse(fs.readFileSync('package.json', 'utf8'));
const built = fs.existsSync('dist/cli.js');

/** Runtime names that users may import; a change here is a change of the public interface and belongs into the CHANGELOG. */
const PUBLIC = {
  'dist/lib/index.js': ['PermissionError', 'RepeatedMessageError', 'SkillNotFoundError', 'SkillmintError', 'awarenessList', 'createRuntime', 'defineTool', 'directText', 'executeSkill', 'foldEvents', 'toolModeText'],
  'dist/lib/ai-sdk.js': ['aiSdkTools'],
  'dist/lib/openai.js': ['chatSkills', 'responsesSkills'],
  'dist/lib/anthropic.js': ['messagesSkills'],
  'dist/lib/testing.js': ['memoryHost', 'memorySessions', 'scriptedModel', 'sessionMemory', 'startFakeProvider'],
} as const;

describe('the package', () => {
  it('has these entries', () => {
    expect(isObject(manifest) && isObject(manifest['exports']) && Object.keys(manifest['exports'])).toEqual(['.', './client', './testing', './ai-sdk', './openai', './anthropic', './settings.schema.json', './package.json']);
  });

  it('pins every dependency exactly and runs nothing at install', () => {
    if (!isObject(manifest)) throw new Error('package.json is no object');
    const versions = [manifest['dependencies'], manifest['devDependencies']].filter(isObject).flatMap((list) => Object.entries(list));
    expect(versions.length).toBeGreaterThan(10);
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[a-z]+\.\d+)?$/.test(String(version)))).toEqual([]);
    expect(Object.keys(isObject(manifest['scripts']) ? manifest['scripts'] : {}).filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([]);
  });
});

describe.skipIf(!built && !process.env['CI'])('the built package (needs npm run build)', () => {
  it.each(Object.entries(PUBLIC))('%s exports what is listed', async (file, names) => {
    const module: unknown = await import(pathToFileURL(path.resolve(file)).href);
    expect(isObject(module) ? Object.keys(module).sort() : module).toEqual([...names]);
  });

  it('has what package.json points at', () => {
    const targets = JSON.stringify(isObject(manifest) && manifest['exports']).match(/\.\/[^"]+\.(?:json|js|d\.ts)(?=")/g) ?? [];
    expect(targets.length).toBeGreaterThan(4);
    expect(targets.filter((target) => target.startsWith('./dist') && !fs.existsSync(target))).toEqual([]);
  });

  it.each(['ai-sdk', 'openai', 'anthropic'])('has types of skillmint/%s that need no other package', (name) => {
    const named = new Set<string>();
    const seen = new Set<string>();
    const follow = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const [, from = ''] of fs.readFileSync(file, 'utf8').matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)) {
        if (from.startsWith('.')) follow(path.join(path.dirname(file), from.replace(/\.ts$/, '.d.ts')));
        else named.add(from);
      }
    };
    follow(`dist/types/adapters/${name}.d.ts`);
    expect(seen.size).toBeGreaterThan(2);
    expect([...named]).toEqual([]);
  });

  it('publishes the schema of the settings that it checks', async () => {
    const { SETTINGS_SCHEMA } = await import('../../src/config/settings-schema.ts');
    expect(JSON.parse(fs.readFileSync('dist/settings.schema.json', 'utf8'))).toEqual(SETTINGS_SCHEMA);
  });

  it('finds the place of a mistake in the settings, for which it needs a bundled parser', () => {
    const data = fs.mkdtempSync(path.join(os.tmpdir(), 'settings-'));
    fs.writeFileSync(path.join(data, 'config.json'), '{\n  "model": oops\n}\n');
    const { status, stderr } = spawnSync(process.execPath, ['dist/cli.js', 'config', 'list'], { env: { ...process.env, SKILLMINT_HOME: data }, encoding: 'utf8' });
    fs.rmSync(data, { recursive: true });
    expect(status).not.toBe(0);
    expect(stderr).toContain(`${path.join(data, 'config.json')}:2: not valid JSON: "oops"`);
    expect(stderr.trim()).not.toContain('\n');
  });

  /** Runs the built command line and gives the files of dist/ that it loaded. */
  function loadedBy(args: readonly string[]): readonly string[] {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loaded-'));
    const preload = path.join(folder, 'preload.cjs');
    fs.writeFileSync(preload, `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(path.join(folder, 'log'))}, Object.keys(require.cache).join('\\n')));`);
    execFileSync(process.execPath, ['--require', preload, 'dist/cli.js', ...args], { stdio: 'pipe', env: { ...process.env, SKILLMINT_HOME: folder } });
    const files = fs.readFileSync(path.join(folder, 'log'), 'utf8').split('\n');
    fs.rmSync(folder, { recursive: true });
    return files.filter((file) => file.startsWith(path.resolve('dist'))).map((file) => path.relative('.', file));
  }

  it('loads nothing by import(), which code that was compiled before cannot do', () => {
    const chunks = fs.readdirSync('dist/chunks').map((name) => path.join('dist/chunks', name));
    const loading = new Set<string>();
    for (const file of chunks) new Visitor({ ImportExpression: () => void loading.add(file) }).visit(parseSync(file, fs.readFileSync(file, 'utf8')).program);
    expect([...loading]).toEqual([]);
  });

  it('loads no database and few files to say its version', () => {
    const loaded = loadedBy(['--version']);
    expect(loaded).toContain('dist/cli.js');
    expect(loaded.filter((file) => /libsql/.test(fs.readFileSync(file, 'utf8')))).toEqual([]);
    expect(loaded.length).toBe(1);
  });
});
