import { rolldown } from 'rolldown';

/** The JSON Schema of the settings as data, from its TypeScript source. */
export async function settingsSchema() {
  const bundle = await rolldown({ input: 'src/config/settings-schema.ts' });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  const { SETTINGS_SCHEMA } = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
  return SETTINGS_SCHEMA;
}
