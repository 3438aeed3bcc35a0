import type { Tool } from '../define.ts';
import { textArgument } from '../input.ts';
import { pageAddress, withPlace } from '../page-address.ts';
import { browserTool } from './browser-tool.ts';
import description from './browser-navigate.md';

/** Opens pages. */
export function browserNavigateTool(): Tool {
  return browserTool({
    name: 'BrowserNavigate',
    description,
    properties: { url: { type: 'string' } },
    required: ['url'],
    readOnly: false,
    argumentAliases: { uri: 'url', link: 'url', address: 'url' },
    request: (input) => {
      const given = textArgument(input, 'url');
      const url = pageAddress(given);
      return url ? { action: 'navigate', url: withPlace(url, given) } : `${JSON.stringify(given.slice(0, 200))} is no address of the web. Give one that begins with https://.`;
    },
  });
}
