import type { Tool } from '../define.ts';
import { flagArgument, textArgument } from '../input.ts';
import { browserTool, NO_TARGET, TARGET, TARGET_ALIASES, targetOf } from './browser-tool.ts';
import description from './browser-type.md';

/** Types. */
export function browserTypeTool(): Tool {
  return browserTool({
    name: 'BrowserType',
    description,
    properties: { ...TARGET, text: { type: 'string' }, submit: { type: 'boolean' }, slowly: { type: 'boolean' } },
    required: ['text'],
    readOnly: false,
    argumentAliases: { ...TARGET_ALIASES, value: 'text', press_enter: 'submit' },
    request: (input) => {
      const target = targetOf(input);
      return target ? { action: 'type', target, text: textArgument(input, 'text'), submit: flagArgument(input, 'submit'), keys: flagArgument(input, 'slowly') } : NO_TARGET;
    },
  });
}
