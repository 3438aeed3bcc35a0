import type { Tool } from '../define.ts';
import { browserTool } from './browser-tool.ts';
import description from './browser-back.md';

/** Goes back. */
export function browserBackTool(): Tool {
  return browserTool({
    name: 'BrowserBack',
    description,
    properties: {},
    readOnly: false,
    request: () => ({ action: 'back' }),
  });
}
