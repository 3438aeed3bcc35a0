import type { Tool } from '../define.ts';
import { browserTool } from './browser-tool.ts';
import description from './browser-close.md';

/** Closes the browser of the session. */
export function browserCloseTool(): Tool {
  return browserTool({
    name: 'BrowserClose',
    description,
    properties: {},
    readOnly: false,
    request: () => ({ action: 'close' }),
  });
}
