import type { ReactNode } from 'react';
import type { ApiSetting } from '../../../src/api/settings-endpoints.ts';
import { useLanguage } from '../i18n/language.tsx';
import { Notice } from '../ui/notice.tsx';

const STRONGER = new Set(['project', 'environment', 'flags']);

/** Says that a change would not hold: a stronger layer decides a single value. */
export function Overridden({ setting }: { readonly setting: ApiSetting | undefined }): ReactNode {
  const layer = useLayerName();
  const { words: { settings } } = useLanguage();
  if (setting === undefined || Array.isArray(setting.value) || !STRONGER.has(setting.layer)) return null;
  return <Notice tone="warn">{settings.overridden(layer(setting.layer))}</Notice>;
}

/** Where a value comes from, in words. */
export function useLayerName(): (layer: string) => string {
  const { words: { settings: { layers } } } = useLanguage();
  const names: Readonly<Record<string, string>> = layers;
  return (layer) => names[layer] ?? layer;
}
