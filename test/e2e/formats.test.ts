import { describe, expect, it } from 'vitest';
import { eventsOf, makePlace, MODEL, run, withoutBubblewrap } from './program.ts';
import { readScenario, serveScenario, unmet, withoutScenarios } from './scenarios.ts';

const APIS = [
  { api: 'anthropic', served: 'anthropic' },
  { api: 'openai-responses', served: 'responses' },
  { api: 'openai-chat', served: 'chat' },
] as const;
const SCENARIOS = ['hello', 'files-20', 'skill', 'parallel'] as const;

describe.skipIf(withoutScenarios || withoutBubblewrap)('scripted conversations in each wire format (needs the shared scenarios and bubblewrap)', () => {
  describe.each(APIS)('$api', ({ api, served }) => {
    it.each(SCENARIOS)('%s, in the sandbox', async (name) => {
      const place = makePlace();
      const scenario = readScenario(name);
      const requests = await serveScenario(place, scenario, api);
      const ended = await run(place, ['run', scenario.prompt, ...MODEL, '--permission-mode', 'unrestricted', '--sandbox', 'required']);
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expect(unmet(scenario, place.project, ended.stdout)).toEqual([]);
      const main = requests().filter((request) => request.kind === 'main');
      expect(requests().map((request) => request.kind)).toEqual(main.map(() => 'main'));
      expect(main.map((request) => request.step)).toEqual(Array.from({ length: scenario.steps }, (_, step) => step));
      expect(main.flatMap((request) => request.bad)).toEqual([]);
      expect(main.flatMap((request) => request.unmapped)).toEqual([]);
      expect(new Set(main.map((request) => request.api))).toEqual(new Set([served]));
    });
  });

  it('runs the calls of one reply side by side', async () => {
    const place = makePlace();
    const scenario = readScenario('parallel');
    await serveScenario(place, scenario, 'openai-chat');
    const { code, stdout } = await run(place, ['run', scenario.prompt, ...MODEL, '--permission-mode', 'unrestricted', '--sandbox', 'required', '--output', 'stream-json']);
    expect(code).toBe(0);
    const types = eventsOf(stdout).map((event) => event.type).filter((type) => type === 'tool.started' || type === 'tool.completed');
    expect(types).toEqual([...Array.from({ length: 4 }, () => 'tool.started'), ...Array.from({ length: 4 }, () => 'tool.completed')]);
  });
});
