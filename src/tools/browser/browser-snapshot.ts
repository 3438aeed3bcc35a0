import type { Tool } from '../define.ts';
import { browserTool, TARGET, TARGET_ALIASES, withTarget } from './browser-tool.ts';
import description from './browser-snapshot.md';

/** Shows the elements of the page. */
export function browserSnapshotTool(): Tool {
  return browserTool({
    name: 'BrowserSnapshot',
    description,
    properties: TARGET,
    readOnly: true,
    polling: true,
    argumentAliases: TARGET_ALIASES,
    request: (input) => ({ action: 'snapshot', ...withTarget(input) }),
  });
}
