import type { Tool } from '../define.ts';
import { textsArgument } from '../input.ts';
import { browserTool, NO_TARGET, TARGET, TARGET_ALIASES, targetOf } from './browser-tool.ts';
import description from './browser-select.md';

/** Chooses options. */
export function browserSelectTool(): Tool {
  return browserTool({
    name: 'BrowserSelect',
    description,
    properties: { ...TARGET, values: { type: 'array', items: { type: 'string' } } },
    required: ['values'],
    readOnly: false,
    argumentAliases: { ...TARGET_ALIASES, value: 'values', options: 'values' },
    request: (input) => {
      const target = targetOf(input);
      return target ? { action: 'select', target, values: textsArgument(input, 'values') } : NO_TARGET;
    },
  });
}
