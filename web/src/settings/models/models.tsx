import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { API } from '../../../../src/api/api.ts';
import type { AnswerOf } from '../../../../src/api/endpoint.ts';
import type { ApiModel } from '../../../../src/api/settings-endpoints.ts';
import { useServer } from '../../app/server.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { ChoiceSetting } from '../choice-setting.tsx';
import styles from '../settings.module.css';
import { useFolder, useMayChange, useSetting } from '../use-settings.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { ProviderRow } from './provider-row.tsx';

/** Models, providers and their keys. */
export function Models(): ReactNode {
  const { words: { settings: { sections, models } } } = useLanguage();
  const known = useModels();
  const may = useMayChange('providers');
  const names = (known.data?.models ?? []).toSorted((a, b) => Number(b.ready) - Number(a.ready)).map(({ name }) => name);
  return (
    <section className={styles.section} aria-label={sections.models}>
      <div className={styles.card}>
        <h2>{models.inUse}</h2>
        <ChoiceSetting setting="model" label={models.model} help={models.modelHelp} suggestions={names} />
        <NotReady setting="model" known={known.data?.models ?? []} />
        <ChoiceSetting setting="smallModel" label={models.small} help={models.smallHelp} suggestions={names} />
        <NotReady setting="smallModel" known={known.data?.models ?? []} />
      </div>
      <div className={styles.card}>
        <div><h2>{models.providers}</h2><p className={styles.help}>{models.providersHelp}</p></div>
        <Problem error={known.error} />
        {known.isLoading ? <Loading /> : null}
        <ul className={styles.list}>
          {(known.data?.providers ?? []).map((provider) => <ProviderRow key={provider.name} provider={provider} models={(known.data?.models ?? []).filter((model) => model.provider === provider.name).map(({ id }) => id)} />)}
        </ul>
      </div>
      {may ? <EndpointForm taken={(known.data?.providers ?? []).map(({ name }) => name)} /> : null}
    </section>
  );
}

/** Says of a chosen model that it cannot be asked yet, and where its key is looked for. */
function NotReady({ setting, known }: { readonly setting: string; readonly known: readonly ApiModel[] }): ReactNode {
  const { words: { settings: { models } } } = useLanguage();
  const chosen = useSetting(setting)?.value;
  const model = known.find(({ name }) => name === chosen);
  return model === undefined || model.ready ? null : <Notice tone="warn">{models.notReady(model.name, model.missing ?? '')}</Notice>;
}

function useModels(): UseQueryResult<AnswerOf<(typeof API)['listModels']>> {
  const server = useServer();
  const query = useFolder();
  return useQuery({ queryKey: ['models', query.cwd], queryFn: ({ signal }) => server.listModels({ query, signal }) });
}
