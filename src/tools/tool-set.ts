import type { Host } from '../host/host.ts';
import { canonicalToolName } from '../protocol/tool-names.ts';
import { askUserQuestionTool } from './ask-user-question.ts';
import { bashOutputTool } from './bash-output.ts';
import { bashTool } from './bash.ts';
import { callTool } from './call-tool.ts';
import type { Tool } from './define.ts';
import { editTool } from './edit.ts';
import { createFileLedger } from './file-ledger.ts';
import { enterPlanModeTool } from './enter-plan-mode.ts';
import { exitPlanModeTool } from './exit-plan-mode.ts';
import { findToolsTool } from './find-tools.ts';
import { globTool } from './glob.ts';
import { grepTool } from './grep.ts';
import { killShellTool } from './kill-shell.ts';
import { lsTool } from './ls.ts';
import { memoryTool } from './memory.ts';
import { notebookEditTool } from './notebook-edit.ts';
import { readTool } from './read.ts';
import { skillTool } from './skill.ts';
import { taskOutputTool } from './task-output.ts';
import { taskTool } from './task.ts';
import { todoWriteTool } from './todo-write.ts';
import { webFetchTool } from './web-fetch.ts';
import { webSearchTool } from './web-search.ts';
import { writeTool } from './write.ts';

/**
 * The built-in tools in the order in which models see them. They share what keeps changes of one file apart, so one set
 * may serve any number of sessions of a process, and two sets should not work on the same files.
 */
export function builtinTools(options: { readonly platform: Host['platform'] }): readonly Tool[] {
  const ledger = createFileLedger();
  return [
    readTool(ledger),
    writeTool(ledger),
    editTool(ledger),
    globTool(),
    grepTool(),
    lsTool(),
    bashTool(options.platform),
    bashOutputTool(),
    killShellTool(),
    notebookEditTool(ledger),
    todoWriteTool(),
    taskTool(),
    taskOutputTool(),
    askUserQuestionTool(),
    skillTool(),
    findToolsTool(),
    callTool(),
    enterPlanModeTool(),
    exitPlanModeTool(),
  ];
}

/** The tools that read the web; `searchUrl` is where the search engine of the settings is asked. */
export function webTools(options: { readonly searchUrl: string }): readonly Tool[] {
  return [webFetchTool(), webSearchTool(options.searchUrl)];
}

/** The tools that keep notes; none where the settings switch them off. */
export function memoryTools({ memory }: { readonly memory: boolean }): readonly Tool[] {
  return memory ? [memoryTool()] : [];
}

/** Finds tools by name or alias, without regard to letter case. */
export function toolResolver(tools: readonly Tool[]): (name: string) => Tool | undefined {
  const byName = new Map<string, Tool>();
  for (const tool of tools) for (const alias of tool.aliases ?? []) byName.set(alias.toLowerCase(), tool);
  for (const tool of tools) byName.set(tool.spec.name.toLowerCase(), tool);
  return (name) => byName.get(name.trim().toLowerCase()) ?? byName.get(canonicalToolName(name).toLowerCase());
}
