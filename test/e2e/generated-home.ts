import fs from 'node:fs';
import path from 'node:path';
import type { NewEvent } from '../../src/sessions/store.ts';
import { SESSION_MIGRATIONS } from '../../src/sessions/migrations.ts';
import { sqliteSessions } from '../../src/sessions/sqlite-sessions.ts';
import { openSqlite } from '../../src/store/sqlite.ts';

/** How large a home is made. */
export interface HomeSize {
  readonly sessions: number;
  /** Turns of each session; six events each. */
  readonly turns: number;
  readonly skills: number;
}

const OWNER = { instance: 'generator', machine: 'another machine', pid: 1, started: '0' };

/** Fills a data folder with sessions, usage, rules, skills with scripts, settings, trust and memory. */
export async function generateHome(folder: string, { sessions, turns, skills }: HomeSize): Promise<readonly string[]> {
  const put = (at: string, text: string, mode = 0o600): void => {
    fs.mkdirSync(path.dirname(path.join(folder, at)), { recursive: true, mode: 0o700 });
    fs.writeFileSync(path.join(folder, at), text, { mode });
  };
  for (let n = 0; n < skills; n += 1) {
    put(`skills/skill-${n}/SKILL.md`, `---\nname: skill-${n}\ndescription: Does the thing number ${n} with tables and letters.\n---\nBody of ${n}. ${'word '.repeat(n % 50)}\n`);
    put(`skills/skill-${n}/scripts/run.sh`, `#!/bin/sh\necho ${n}\n`, 0o755);
    put(`skills/skill-${n}/LICENSE`, 'The same text in every skill.\n');
  }
  put('trust.json', JSON.stringify({ version: 1, skills: [] }));
  put('memory/projects/x-0123456789abcdef/MEMORY.md', 'Build with make.');
  const db = openSqlite(path.join(folder, 'skillmint.db'), SESSION_MIGRATIONS);
  const store = sqliteSessions(db, { now: Date.now, isAlive: () => false });
  const ids = Array.from({ length: sessions }, (_, n) => `ses_${String(n).padStart(6, '0')}`);
  for (const [n, session_id] of ids.entries()) {
    const lease = await store.create({ session_id, cwd: `/project/${n % 7}`, model: 'fake/m', ...(n % 10 === 9 ? { parent_id: 'ses_000000', task_id: `task-${n}` } : {}) }, OWNER);
    for (let turn = 0; turn < turns; turn += 1) await store.append(lease, turnOf(n, turn));
    await store.release(lease);
  }
  await store.addRules('/project/1', ['Bash(git *)', 'Write']);
  await store.close();
  return ids;
}

/** What a turn leaves, with texts that are hard to keep as they are. */
function turnOf(n: number, turn: number): readonly NewEvent[] {
  const time = new Date(1_767_225_600_000 + n * 60_000 + turn * 1_000).toISOString();
  const turn_id = `turn_${n}_${turn}`;
  const odd = `nul \u0000, half \uD83D, "quoted" \\ and 潮汐 🌊 ${'x'.repeat(n % 300)}`;
  const usage = { input: n, output: turn, cache_read: 0, cache_write: 0 };
  const call_id = `call_${n}_${turn}`;
  const bodies: readonly NewEvent['body'][] = [
    { type: 'turn.started', turn_id, input: [{ type: 'text', text: odd }] },
    { type: 'message.completed', role: 'assistant', content: [{ type: 'tool_call', call_id, tool: 'Read', input: { file_path: odd } }], usage, stop_reason: 'tool_calls' },
    { type: 'tool.requested', call_id, tool: 'Read', input: { file_path: odd } },
    { type: 'tool.completed', call_id, status: 'ok', output: [{ type: 'text', text: odd }] },
    { type: 'message.completed', role: 'assistant', content: [{ type: 'text', text: odd }], usage, stop_reason: 'end' },
    { type: 'turn.completed', turn_id, status: 'done', usage, text: odd, cost_usd: 0.1 + n },
  ];
  return bodies.map((body, at) => ({ body, time, ...(at === 2 && n % 3 === 0 ? { agent_id: 'agent' } : {}) }));
}
