import type { Tool } from '../define.ts';
import { optionalText } from '../input.ts';
import { pageAddress, withPlace } from '../page-address.ts';
import { browserTool } from './browser-tool.ts';
import description from './browser-tabs.md';

/** Works with tabs. */
export function browserTabsTool(): Tool {
  return browserTool({
    name: 'BrowserTabs',
    description,
    properties: { action: { type: 'string', enum: ['list', 'new', 'select', 'close'] }, index: { type: 'integer', minimum: 0 }, url: { type: 'string', description: 'for new' } },
    required: ['action'],
    readOnly: false,
    argumentAliases: { tab: 'index' },
    request: (input) => {
      const { action, index } = input;
      const tab = typeof index === 'number' ? { tab: index } : {};
      const given = optionalText(input, 'url')?.trim() ?? '';
      const url = given === '' || action !== 'new' ? undefined : pageAddress(given);
      if (given !== '' && action === 'new' && !url) return `${JSON.stringify(given.slice(0, 200))} is no address of the web. Give one that begins with https://.`;
      const what = action === 'new' || action === 'select' || action === 'close' ? action : 'list';
      return { action: 'tabs', what, ...tab, ...(url ? { url: withPlace(url, given) } : {}) };
    },
  });
}
