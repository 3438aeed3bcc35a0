import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useServer } from '../../app/server.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import type { LiveSession } from '../session/live-session.ts';
import styles from './panel.module.css';

/** How full the context of the model is, what was used so far and what it cost. */
export function ContextMeter({ session: { id, state }, isBusy }: { readonly session: LiveSession; readonly isBusy: boolean }): ReactNode {
  const { language, words: { chat: { panel: words } } } = useLanguage();
  const server = useServer();
  const { cwd, model, context, usage, cost_usd } = state;
  const models = useQuery({ queryKey: ['models', cwd], queryFn: ({ signal }) => server.listModels({ query: { cwd }, signal }), enabled: cwd !== '', staleTime: 30_000 });
  const compact = useMutation({ mutationFn: () => server.compactSession({ id }) });
  const size = models.data?.models.find(({ name }) => name === model)?.contextWindow;
  const number = new Intl.NumberFormat(language);
  const money = new Intl.NumberFormat(language, { style: 'currency', currency: 'USD', maximumSignificantDigits: 3 });
  return (
    <section className={styles.part}>
      <h2>{words.context}</h2>
      {size === undefined ? <p>{words.contextAlone(number.format(context.tokens))}</p> : (
        <>
          <meter className={styles.meter} min={0} max={size} low={size * 0.6} high={size * 0.85} optimum={0} value={Math.min(context.tokens, size)} aria-label={words.contextFill}>{Math.round((100 * context.tokens) / size)} %</meter>
          <p>{words.contextOf(number.format(context.tokens), number.format(size))}</p>
        </>
      )}
      <dl className={styles.facts}>
        <dt>{words.used}</dt><dd>{number.format(usage.input)} {words.tokensIn}, {number.format(usage.output)} {words.tokensOut}{usage.cache_read > 0 ? `, ${number.format(usage.cache_read)} ${words.cached}` : ''}</dd>
        <dt>{words.cost}</dt><dd>{money.format(cost_usd)}</dd>
      </dl>
      <Button className={styles.wide} title={isBusy ? words.busy : words.compactHelp} disabled={isBusy || compact.isPending || state.messages.length === 0} onClick={() => compact.mutate()}>{words.compact}</Button>
      {compact.data ? <Notice tone="ok">{compact.data.after < compact.data.before ? words.compacted(number.format(compact.data.before), number.format(compact.data.after)) : words.compactedNothing}</Notice> : null}
      <Problem error={compact.error} />
    </section>
  );
}
