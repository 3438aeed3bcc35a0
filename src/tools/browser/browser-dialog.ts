import type { Tool } from '../define.ts';
import { flagArgument, optionalText } from '../input.ts';
import { browserTool } from './browser-tool.ts';
import description from './browser-dialog.md';

/** Settles the answer to the next question of a page. */
export function browserDialogTool(): Tool {
  return browserTool({
    name: 'BrowserDialog',
    description,
    properties: { accept: { type: 'boolean' }, promptText: { type: 'string' } },
    required: ['accept'],
    readOnly: false,
    argumentAliases: { text: 'promptText' },
    request: (input) => {
      const text = optionalText(input, 'promptText');
      return { action: 'dialog', accept: flagArgument(input, 'accept'), ...(text === undefined ? {} : { text }) };
    },
  });
}
