import type { Tool } from '../define.ts';
import { flagArgument } from '../input.ts';
import { browserTool, NO_TARGET, TARGET, TARGET_ALIASES, targetOf } from './browser-tool.ts';
import description from './browser-click.md';

/** Clicks. */
export function browserClickTool(): Tool {
  return browserTool({
    name: 'BrowserClick',
    description,
    properties: { ...TARGET, button: { type: 'string', enum: ['left', 'right', 'middle'] }, doubleClick: { type: 'boolean' } },
    readOnly: false,
    argumentAliases: { ...TARGET_ALIASES, double: 'doubleClick' },
    request: (input) => {
      const target = targetOf(input);
      const { button } = input;
      return target ? { action: 'click', target, button: button === 'right' || button === 'middle' ? button : 'left', times: flagArgument(input, 'doubleClick') ? 2 : 1 } : NO_TARGET;
    },
  });
}
