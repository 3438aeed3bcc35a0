import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { ApiSkill } from '../../../../src/api/skill-endpoints.ts';
import { visibleText } from '../../../../src/protocol/visible-text.ts';
import { useServer } from '../../app/server.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Labelled } from '../../ui/labelled.tsx';
import { Problem } from '../../ui/notice.tsx';
import { skillAddress, type Folder } from '../use-folder.ts';
import { evaluationAddress } from './evaluation-address.ts';
import forms from '../forms.module.css';

const SUITES = ['all', 'output', 'triggers'] as const;

/** Asks how a skill is to be evaluated, begins it and goes to where it can be followed. */
export function EvaluateDialog({ skill: { id, name }, folder, onClose }: { readonly skill: ApiSkill; readonly folder: Folder; readonly onClose: () => void }): ReactNode {
  const { words: { app, evaluations: words } } = useLanguage();
  const server = useServer();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [given, setGiven] = useState<{ readonly suite: (typeof SUITES)[number]; readonly runs: number; readonly budget: string }>({ suite: 'all', runs: 3, budget: '' });
  const begin = useMutation({
    mutationFn: () => server.evaluateSkill({ id, body: { ...folder.here, suite: given.suite, runs: given.runs, ...(given.budget === '' ? {} : { budget_usd: Number(given.budget) }) } }),
    onSuccess: async (begun) => {
      navigate(evaluationAddress(skillAddress({ search: '' }, id), begun.id, folder));
      await queries.invalidateQueries({ queryKey: ['evaluations'] });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    begin.mutate();
  };
  return (
    <Dialog title={words.dialog(visibleText(name))} onClose={onClose}>
      <form className={forms.form} onSubmit={submit}>
        <p className={forms.quiet}>{words.meaning} {words.costs}</p>
        <Labelled label={words.suite}>
          <select value={given.suite} onChange={({ target }) => setGiven({ ...given, suite: SUITES.find((suite) => suite === target.value) ?? 'all' })}>{SUITES.map((suite) => <option key={suite} value={suite}>{words.suites[suite]}</option>)}</select>
        </Labelled>
        <Labelled label={words.runs}><input type="number" required min={1} max={1_000} step={1} value={given.runs} onChange={({ target }) => setGiven({ ...given, runs: target.valueAsNumber })} /></Labelled>
        <Labelled label={words.budget} help={words.budgetHelp}><input type="number" min={0.01} step="any" value={given.budget} onChange={({ target }) => setGiven({ ...given, budget: target.value })} /></Labelled>
        <Problem error={begin.error} />
        <div className={forms.buttons}>
          <Button onClick={onClose}>{app.cancel}</Button>
          <Button kind="main" type="submit" disabled={begin.isPending}>{words.start}</Button>
        </div>
      </form>
    </Dialog>
  );
}
