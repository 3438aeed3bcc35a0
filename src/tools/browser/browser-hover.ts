import type { Tool } from '../define.ts';
import { browserTool, NO_TARGET, TARGET, TARGET_ALIASES, targetOf } from './browser-tool.ts';
import description from './browser-hover.md';

/** Moves the pointer. */
export function browserHoverTool(): Tool {
  return browserTool({
    name: 'BrowserHover',
    description,
    properties: TARGET,
    readOnly: false,
    argumentAliases: TARGET_ALIASES,
    request: (input) => {
      const target = targetOf(input);
      return target ? { action: 'hover', target } : NO_TARGET;
    },
  });
}
