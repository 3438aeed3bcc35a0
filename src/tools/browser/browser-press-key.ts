import type { Tool } from '../define.ts';
import { textArgument } from '../input.ts';
import { browserTool, TARGET, TARGET_ALIASES, withTarget } from './browser-tool.ts';
import description from './browser-press-key.md';

/** Presses keys. */
export function browserPressKeyTool(): Tool {
  return browserTool({
    name: 'BrowserPressKey',
    description,
    properties: { key: { type: 'string' }, ...TARGET },
    required: ['key'],
    readOnly: false,
    argumentAliases: TARGET_ALIASES,
    request: (input) => ({ action: 'press', key: textArgument(input, 'key'), ...withTarget(input) }),
  });
}
