import { EXIT } from '../exit-codes.ts';
import { oneLine, palette, printJson, write } from '../terminal.ts';
import { tellWarnings, withSkillAgent } from './with-skill-agent.ts';

/** What `skillmint skills search --agent` can be told. */
export interface AgentSearchFlags {
  readonly k: number;
  readonly model?: string;
  readonly json?: boolean;
}

/** `skillmint skills search --agent`. */
export function agentSearchCommand(query: string, { k, model, json }: AgentSearchFlags): Promise<void> {
  return withSkillAgent(model, async (agent, call) => {
    const { skills, warnings } = await agent.search({ ...call, query, k });
    await tellWarnings(warnings);
    if (json) await printJson(skills);
    else {
      const paint = palette(process.stdout);
      for (const { id, reason } of skills) await write(process.stdout, `${paint.bold(oneLine(id))}  ${oneLine(reason)}\n`);
      if (skills.length === 0) await write(process.stderr, `No skill fits "${oneLine(query)}".\n`);
    }
    return EXIT.done;
  });
}
