import type { Tool } from '../define.ts';
import { flagArgument, optionalText } from '../input.ts';
import { readMedia } from '../read-media.ts';
import { browserTool, TARGET, TARGET_ALIASES, withTarget } from './browser-tool.ts';
import { fileNeed, keepFile } from './keep-file.ts';
import description from './browser-screenshot.md';

/** Takes pictures. */
export function browserScreenshotTool(): Tool {
  return browserTool({
    name: 'BrowserScreenshot',
    description,
    properties: { ...TARGET, fullPage: { type: 'boolean' }, path: { type: 'string', description: 'file to write' } },
    readOnly: false,
    argumentAliases: { ...TARGET_ALIASES, filename: 'path', file_path: 'path', full_page: 'fullPage' },
    request: (input) => ({ action: 'screenshot', fullPage: flagArgument(input, 'fullPage'), ...withTarget(input) }),
    alsoNeeds: (input, { cwd }) => fileNeed(optionalText(input, 'path'), cwd),
    finish: async ({ outcome, file }, input, context) => {
      if (!file) return outcome;
      const path = optionalText(input, 'path');
      const written = path === undefined ? undefined : await keepFile(path, file, { context, replaces: 'pictures' });
      if (written?.status === 'error') return written;
      const shown = await readMedia({ shown: 'The picture', size: file.bytes.length, mediaType: file.mediaType, read: async () => file.bytes }, context.accepts);
      // Without a picture in the result there is still the file.
      const status = written ? 'ok' : shown.status;
      return { ...outcome, status, content: [...outcome.content, ...(written?.content ?? []), ...shown.content], details: { ...outcome.details, ...written?.details } };
    },
  });
}
