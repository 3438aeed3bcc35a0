import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FakeRequest, FakeStep, FakeWord } from '../../src/testing/fake-provider/script.ts';
import { startTerminal, withoutTmux } from '../cli/terminal.ts';
import { FREE, makePlace, run, withProvider, writeSkill, type Place } from '../e2e/program.ts';
import { terminals, type ScreenOfProgram } from './tmux.ts';

const open = terminals('skills');
const SMALL = { columns: 80, rows: 24 } as const;

let place: Place;
beforeEach(() => {
  place = makePlace();
});

const SKILL = '---\nname: invoice-check\ndescription: Checks invoices against orders. Use when someone asks whether invoices match what was ordered.\n---\n\n# Check \u001b[31minvoices\n\n1. Read both files.\n';
const draftIn = ({ text }: FakeRequest): string => [...text.matchAll(/Write it into ([^"\\]+?)\/(?:NAME|[a-z-]+)\/, with/g)].at(-1)?.[1] ?? '';
const writes: FakeStep = (request) => ({ calls: [{ name: 'Write', input: { file_path: path.join(draftIn(request), 'invoice-check/SKILL.md'), content: SKILL } }] });
const HANGS: FakeStep = { fault: { kind: 'hang', afterBytes: 10 } };
const MADE = JSON.stringify({ outcome: 'made', name: 'invoice-check', summary: 'It checks invoices.', existing: '' });
const decided = (decision: object): FakeStep => JSON.stringify({ skill: '', request: '', reason: 'It was shown twice.', quotes: [], messages: [], tasks: [], ...decision });

async function command(terminal: ScreenOfProgram, line: string, shows: string | RegExp): Promise<void> {
  await terminal.ready();
  await terminal.send(line);
  await terminal.shows(shows);
}

/** Number of the event that holds the first message of the latest session. */
async function messageSeq(): Promise<number> {
  const [{ session_id }] = JSON.parse((await run(place, ['sessions', 'list', '--json'])).stdout).sessions;
  return (await run(place, ['sessions', 'export', session_id])).stdout.split('\n').findIndex((line) => line.includes('"turn.started"')) + 1;
}

/** Loads the skill where it is offered and writes what it says; else it writes a plain result. */
const executorOf = (right: string) => ({ text }: FakeRequest): FakeWord => {
  const isLoaded = text.includes('INSTRUCTIONS OF THE SKILL');
  if (!isLoaded && text.includes('- reporter') && !text.includes('"role":"tool"')) return { calls: [{ name: 'Skill', input: { skill: 'reporter' } }] };
  const content = isLoaded ? right : 'something';
  return /tool_calls.*"name":"Write"/.test(text) ? { text: `I wrote: ${content}` } : { calls: [{ name: 'Write', input: { file_path: 'report.txt', content } }] };
};
const executor = executorOf('total 42');
const steps = (step: FakeStep, count: number): readonly FakeStep[] => Array.from({ length: count }, () => step);
const reporter = (files: Readonly<Record<string, string>> = {}): string => writeSkill(path.join(place.home, '.agents/skills'), { name: 'reporter', description: 'Makes reports.', body: 'INSTRUCTIONS OF THE SKILL\n\nWrite total 42 into report.txt.\n', files });
const CASES = JSON.stringify({ skill_name: 'reporter', evals: [1, 2, 3, 4, 5].map((id) => ({ id, prompt: `Task ${id}: the report, please.`, expectations: [{ check: 'file_matches', path: 'report.txt', pattern: '^total 42$' }] })) });

describe.skipIf(withoutTmux)('/skill on the screen (needs tmux)', () => {
  it('create shows what the agent does and all that it wrote, and writes after a key: n keeps the draft, y installs and offers trust', async () => {
    await withProvider(place, { steps: [writes, MADE, writes, MADE], settings: { skills: { createIn: 'project' } } });
    const installed = path.join(place.project, '.skillmint/skills/invoice-check/SKILL.md');
    const terminal = open(place, FREE, SMALL);
    await command(terminal, '/skill create check invoices', /the skill invoice-check →\s+\S+\n\s+invoice-check\/SKILL\.md\n[\s\S]*\+# Check \\u001b\[31minvoices\n[\s\S]*Write the skill invoice-check there\? y = yes, n = no/);
    expect(fs.existsSync(installed)).toBe(false);
    terminal.press('n');
    await terminal.shows(/The skill invoice-check was not installed, as you wish\. What was written so far\s+is in\s+\S+/);
    expect(fs.existsSync(installed)).toBe(false);
    await command(terminal, '/skill create --name invoice-check check invoices again', /Write the skill invoice-check there\? y = yes/);
    expect(terminal.now()).not.toContain('Esc stops');
    terminal.press('y');
    await terminal.shows(/project:invoice-check was made:\s[\s\S]*It\s+checks\s+invoices\.[\s\S]*Trust project:invoice-check as it is now\? y = yes/);
    expect(fs.readFileSync(installed, 'utf8')).toBe(SKILL);
    terminal.press('n');
    await terminal.shows('project:invoice-check is not trusted');
    await terminal.ready();
  });

  it('Esc stops the agent, keeps what it wrote, and the conversation goes on; a dialog that is left is a no', async () => {
    await withProvider(place, { steps: [writes, HANGS, writes, MADE, 'Here I am.'] });
    const terminal = open(place, FREE);
    await command(terminal, '/skill create check invoices', /making a skill .* · Esc stops\n\s+Write drafts\/\S+SKILL\.md/);
    terminal.press('Escape');
    await terminal.shows(/Interrupted; nothing was made\. What was written so far is in\s+\S+/);
    expect(fs.readdirSync(path.join(place.data, 'drafts'), { recursive: true })).toContainEqual(expect.stringContaining('invoice-check/SKILL.md'));
    await command(terminal, '/skill create check invoices', 'y = yes, n = no');
    terminal.press('Escape');
    await terminal.shows('was not installed, as you wish');
    expect(fs.existsSync(path.join(place.data, 'skills'))).toBe(false);
    await command(terminal, 'are you there?', 'Here I am.');
  });

  it('enhance learns from this conversation within its mode, and has the skill made that it calls for', async () => {
    let seq = 0;
    const creates: FakeStep = () => ({ text: JSON.stringify({ decision: 'create', skill: '', request: 'Check invoices.', reason: 'It was shown twice.', quotes: [{ seq, text: 'I explain this every month' }], messages: [], tasks: [] }) });
    const provider = await withProvider(place, { steps: ['Noted.', creates, writes, MADE, decided({ decision: 'nothing' })] });
    const terminal = open(place, FREE, SMALL);
    await command(terminal, '/skill enhance', 'Nothing was said yet that could be learned from');
    await command(terminal, 'I explain this every month', 'Noted.');
    seq = await messageSeq();
    await command(terminal, '/skill enhance', /Decision: create\. It was shown twice\.[\s\S]*Have the skill made\? y = yes/);
    terminal.press('y');
    await terminal.shows(/Write the skill invoice-check there\? y = yes/);
    terminal.press('y');
    await terminal.shows('Trust user:invoice-check as it is now? y = yes');
    terminal.press('n');
    await command(terminal, '/mode plan', 'permission mode: plan');
    await command(terminal, '/skill create another one', 'In plan mode nothing is changed');
    await command(terminal, '/skill enhance invoice-check', /Decision: nothing/);
    expect(provider.requests.at(-1)?.text).toContain('Only the skill invoice-check may be improved');
  });

  it('enhance measures an edit, shows it with its figures, and takes it after a key', async () => {
    const folder = reporter({ 'evals/evals.json': CASES.replaceAll('total 42', 'total 43') });
    let seq = 0;
    const improved = '---\nname: reporter\ndescription: Makes reports.\n---\n\nINSTRUCTIONS OF THE SKILL\n\nWrite total 43 into report.txt.\n';
    const learner = (request: FakeRequest): FakeWord => {
      const { text } = request;
      const second = text.lastIndexOf('Operation: enhance, second step');
      if (second >= 0) {
        const file = `${/Edit the copy in ([^"\\]+?)\/, and nothing/.exec(text.slice(second))?.[1] ?? ''}/SKILL.md`;
        const done = text.slice(second).split('"role":"tool"').length - 1;
        if (done < 2) return { calls: [done === 0 ? { name: 'Read', input: { file_path: file } } : { name: 'Write', input: { file_path: file, content: improved } }] };
        return { text: JSON.stringify({ summary: 'It is 43.' }) };
      }
      if (text.includes('Operation: enhance, first step')) return { text: JSON.stringify({ decision: 'enhance', skill: 'user:reporter', request: '', reason: 'It said 42.', quotes: [{ seq, text: 'it has to be 43' }], messages: [], tasks: [] }) };
      if (text.includes('it has to be 43')) return { text: 'Noted.' };
      return executorOf(text.includes('total 43 into') ? 'total 43' : 'total 42')(request);
    };
    await withProvider(place, { steps: steps(learner, 300) });
    const terminal = open(place, FREE, { columns: 120, rows: 40 });
    await command(terminal, 'it has to be 43', 'Noted.');
    seq = await messageSeq();
    await command(terminal, '/skill enhance reporter --rounds 1 --runs 1', /Decision: enhance user:reporter\. It said 42\.[\s\S]*-Write total 42 into report\.txt\.\n\+Write total 43 into report\.txt\.[\s\S]*Held out, output[\s\S]*(?:Take the edit|Take it all the same)\? y = yes/);
    expect(fs.readFileSync(path.join(folder, 'SKILL.md'), 'utf8')).toContain('total 42');
    terminal.press('y');
    await terminal.shows(/user:reporter was changed/);
    expect(fs.readFileSync(path.join(folder, 'SKILL.md'), 'utf8')).toContain('total 43');
    await terminal.ready();
  });

  it('evaluate measures and counts the runs; Esc keeps what was measured, which goes on', async () => {
    reporter({ 'evals/evals.json': CASES });
    let asked = 0;
    let isSlow = true;
    await withProvider(place, { steps: steps((request) => (isSlow && (asked += 1) > 12 ? { fault: { kind: 'hang', afterBytes: 10 } } : executor(request)), 200) });
    const terminal = open(place, FREE);
    await command(terminal, '/skill evaluate reporter --runs 1', /evaluating .* · Esc stops\n\s+[1-9] of 10 runs, \$/);
    await terminal.shows(/[2-9] of 10 runs/);
    terminal.press('Escape');
    await terminal.shows(/Verdict: not enough evidence\. It was interrupted\.[\s\S]*skills evaluate --resume (eval_\w+)/);
    isSlow = false;
    const id = /--resume (eval_\w+)/.exec(terminal.all())?.[1] ?? '';
    await command(terminal, `/skill evaluate --resume ${id}`, /10 of 10 runs with fake\/m[\s\S]*Verdict: better/);
    expect(fs.readdirSync(path.join(place.data, 'evaluations'))).toEqual([id]);
  });

  it('evaluate offers to draft evals where there are none, shows them, and writes them after a key', async () => {
    const folder = reporter();
    const DRAFT = JSON.stringify({ evals: [{ id: 1, prompt: 'A report.', expectations: [{ check: 'file_exists', path: 'report.txt' }] }], triggers: [{ query: 'a report', should_trigger: true }, { query: 'a poem', should_trigger: false }] });
    await withProvider(place, { steps: [DRAFT, DRAFT, ...steps(executor, 100)] });
    const terminal = open(place, FREE);
    await command(terminal, '/skill evaluate reporter', /has no evals[\s\S]*Have the model draft evals, to look at before they are written\? y = yes/);
    terminal.press('y');
    await terminal.shows(/evals\.json\n[\s\S]*"draft": true[\s\S]*triggers\.json\n[\s\S]*Write evals of reporter there\? y = yes/);
    terminal.press('n');
    await terminal.shows('No evals were written, as you wish.');
    expect(fs.existsSync(path.join(folder, 'evals'))).toBe(false);
    await command(terminal, '/skill evaluate reporter', /as you wish[\s\S]*Have the model draft evals[^\n]* y = yes/);
    terminal.press('y');
    await terminal.shows('Write evals of reporter there? y = yes');
    terminal.press('y');
    await terminal.shows(/fake\/m drafted 1 cases and 2 messages[\s\S]*Measure with them now\?[^\n]*y = yes/);
    expect(fs.readdirSync(path.join(folder, 'evals')).toSorted()).toEqual(['evals.json', 'triggers.json']);
    terminal.press('n');
    await terminal.ready();
  });

  it('says what is wrong with what was typed', async () => {
    const provider = await withProvider(place, { steps: [] });
    const terminal = open(place, FREE);
    await command(terminal, '/skill', 'Use /skill search TEXT, /skill create');
    await command(terminal, '/skill improve x', 'Use /skill search TEXT');
    await command(terminal, '/skill create --scope world x', '--scope does not take "world"');
    await command(terminal, '/skill create --scope user', 'The request is empty');
    await command(terminal, '/skill create --colour red x', 'There is no flag --colour here');
    await command(terminal, '/skill evaluate none', 'There is no skill "none"');
    await command(terminal, '/skill evaluate none --runs 0', 'is no whole number of at least 1');
    await command(terminal, '/skill evaluate none more', 'Use /skill evaluate SKILL');
    await command(terminal, '/skill enhance --conversation none.jsonl', 'neither a session nor a file');
    expect(provider.requests).toEqual([]);
  });
});

describe.skipIf(withoutTmux)('/skill in plain lines (needs tmux)', () => {
  it('create shows and asks by lines; Ctrl-C at the question is a no, and in the middle stops', async () => {
    await withProvider(place, { steps: [writes, MADE, writes, HANGS, writes, MADE] });
    const terminal = startTerminal(place, [...FREE, '--plain']);
    await terminal.ready();
    terminal.type('/skill create check invoices');
    await terminal.shows(/making a skill: Write drafts\/[\s\S]*\+1\. Read both files\.[\s\S]*Write the skill invoice-check there\? y = yes, n = no:/);
    terminal.press('C-c');
    await terminal.shows(/Interrupted[\s\S]*What was written so far is in/);
    await terminal.ready();
    terminal.type('/skill create check invoices');
    await terminal.shows('Write drafts/');
    terminal.press('C-c');
    await terminal.shows('Interrupted; nothing was made.');
    await terminal.ready();
    terminal.type('/skill create check invoices');
    await terminal.shows('y = yes, n = no:');
    terminal.type('y');
    await terminal.shows(/user:invoice-check was made[\s\S]*Trust user:invoice-check as it is now\?/);
    terminal.type('y');
    await terminal.shows('user:invoice-check is trusted now');
    expect(JSON.parse((await run(place, ['skills', 'trust', '--list', '--json'])).stdout).skills).toContainEqual(expect.objectContaining({ id: 'user:invoice-check', trusted: true }));
  });
});
