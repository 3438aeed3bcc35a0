import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DCLinter } from 'dclint';
import { validate } from 'dockerfile-utils';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { RuntimeClass } from 'kubernetes-models/node.k8s.io/v1/RuntimeClass';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { Service } from 'kubernetes-models/v1/Service';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { isObject } from '../../src/protocol/json.ts';

const DEPLOY = path.resolve('deploy');
const read = (name: string): string => fs.readFileSync(path.join(DEPLOY, name), 'utf8');

/** Reads a value at keys one within the other. */
const at = (value: unknown, ...keys: readonly (string | number)[]): unknown => keys.reduce<unknown>((held, key) => {
  if (Array.isArray(held)) return held[Number(key)];
  return isObject(held) ? held[key] : undefined;
}, value);

/** Objects of Kubernetes by kind, each with the check of its schema. */
const KINDS: Readonly<Record<string, (data: never) => { validate: () => void }>> = {
  Deployment: (data) => new Deployment(data),
  Ingress: (data) => new Ingress(data),
  Namespace: (data) => new Namespace(data),
  NetworkPolicy: (data) => new NetworkPolicy(data),
  PersistentVolumeClaim: (data) => new PersistentVolumeClaim(data),
  PodDisruptionBudget: (data) => new PodDisruptionBudget(data),
  RuntimeClass: (data) => new RuntimeClass(data),
  Service: (data) => new Service(data),
};

const manifests = fs.readdirSync(path.join(DEPLOY, 'kubernetes')).filter((name) => name !== 'kustomization.yaml');
const objectsIn = (name: string): readonly unknown[] => parseAllDocuments(read(path.join('kubernetes', name))).map((document): unknown => document.toJS());

describe('deploy/Dockerfile', () => {
  it('is right by the checks of the format', () => {
    expect(validate(read('Dockerfile'))).toEqual([]);
  });

  it('runs as an ordinary user, with bubblewrap inside, and is told to end by SIGTERM', () => {
    const last = read('Dockerfile').split(/^FROM /m).at(-1) ?? '';
    expect(last).toMatch(/^USER 10001$/m);
    expect(last).toMatch(/apt-get install .*\bbubblewrap\b/);
    expect(last).toMatch(/^STOPSIGNAL SIGTERM$/m);
    expect(last).toMatch(/^ENTRYPOINT \["tini", "--", "skillmint"\]$/m);
    expect(last.indexOf('USER 10001')).toBeLessThan(last.indexOf('ENTRYPOINT'));
  });
});

/** What the linter says, its opinions on order and style left out. */
function problemsOf(file: string): readonly string[] {
  const off = ['no-build-and-image', 'service-keys-order', 'services-alphabetical-order', 'require-quotes-in-ports', 'top-level-properties-order', 'service-dependencies-alphabetical-order', 'service-image-require-explicit-tag'];
  const linter = new DCLinter({ rules: Object.fromEntries(off.map((rule) => [rule, 0])), quiet: true, debug: false, exclude: [] });
  const found: readonly { readonly messages: readonly { readonly line: number; readonly message: string }[] }[] = linter.lintFiles([file], false);
  return found.flatMap(({ messages }) => messages.map(({ line, message }) => `${line}: ${message}`));
}

describe('deploy/compose.yaml', () => {
  it('fits the schema of compose files, which refuses what is wrong', () => {
    expect(problemsOf(path.join(DEPLOY, 'compose.yaml'))).toEqual([]);
    const wrong = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-deploy-')), 'compose.yaml');
    onTestFinished(() => fs.rmSync(path.dirname(wrong), { recursive: true }));
    fs.writeFileSync(wrong, read('compose.yaml').replace('depends_on:', 'depend_on:'));
    expect(problemsOf(wrong).join()).toMatch(/depend_on|additional propert/i);
  });

  it('names files that are there', () => {
    const compose: unknown = parse(read('compose.yaml'), { merge: true });
    expect(fs.existsSync(path.join(DEPLOY, String(at(compose, 'services', 'worker-b', 'build', 'context')), String(at(compose, 'services', 'worker-b', 'build', 'dockerfile'))))).toBe(true);
    expect(String(at(compose, 'services', 'proxy', 'volumes', 0)).split(':')[0]).toBe('./nginx.conf');
    expect(JSON.parse(read('seccomp.json'))).toMatchObject({ syscalls: [{ action: 'SCMP_ACT_ERRNO' }] });
  });
});

describe('deploy/kubernetes', () => {
  it.each(manifests)('%s fits the schemas of Kubernetes', (name) => {
    for (const object of objectsIn(name)) {
      const make = KINDS[String(at(object, 'kind'))];
      expect(make, String(at(object, 'kind'))).toBeDefined();
      // The constructors are typed by what is to be checked.
      expect(() => make?.(object as never).validate()).not.toThrow();
    }
  });

  it('a schema refuses what is wrong', () => {
    expect(() => new Deployment({ metadata: { name: 'x' }, spec: { replicas: 'two', selector: {}, template: {} } } as never).validate()).toThrow(/replicas/);
  });

  it('lists every file, in the sandbox, as no root and without rights', () => {
    expect(at(parse(read('kubernetes/kustomization.yaml')), 'resources')).toEqual(expect.arrayContaining(manifests));
    const [workers] = objectsIn('workers.yaml');
    const pod = at(workers, 'spec', 'template', 'spec');
    expect(pod).toMatchObject({ runtimeClassName: at(objectsIn('runtime-class.yaml')[0], 'metadata', 'name'), automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } });
    expect(at(pod, 'containers', 0, 'securityContext')).toEqual({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
  });
});

it('starts workers with flags that the program has', () => {
  const compose: unknown = parse(read('compose.yaml'), { merge: true });
  const words = [at(compose, 'services', 'worker-a', 'command'), at(objectsIn('workers.yaml')[0], 'spec', 'template', 'spec', 'containers', 0, 'args')].flatMap((list) => (Array.isArray(list) ? list.map(String) : []));
  const known = fs.readFileSync('src/cli/commands/serve.ts', 'utf8');
  const flags = [...new Set(words.filter((word) => word.startsWith('--')))];
  expect(flags).toContain('--token-file');
  expect(flags.filter((flag) => !known.includes(`'${flag} `))).toEqual([]);
});
