import type { YamlReader } from './yaml-reader.ts';

/** Loads the YAML package; costs some milliseconds, so only for files whose frontmatter is not of the plainest kind. */
export async function loadYamlReader(): Promise<YamlReader> {
  const { yamlReader } = await import('./yaml-reader.ts');
  return yamlReader;
}
