import type { Tool } from '../define.ts';
import { numberArgument } from '../input.ts';
import { browserTool } from './browser-tool.ts';
import description from './browser-content.md';

/** Gives the text of the page. */
export function browserContentTool(): Tool {
  return browserTool({
    name: 'BrowserContent',
    description,
    properties: { offset: { type: 'integer', minimum: 0, description: 'first character' } },
    readOnly: true,
    polling: true,
    request: (input) => ({ action: 'content', offset: numberArgument(input, 'offset', 0) }),
  });
}
