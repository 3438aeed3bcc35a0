import type { Tool } from '../define.ts';
import { browserBackTool } from './browser-back.ts';
import { browserClickTool } from './browser-click.ts';
import { browserCloseTool } from './browser-close.ts';
import { browserContentTool } from './browser-content.ts';
import { browserDialogTool } from './browser-dialog.ts';
import { browserDownloadTool } from './browser-download.ts';
import { browserEvaluateTool } from './browser-evaluate.ts';
import { browserHoverTool } from './browser-hover.ts';
import { browserNavigateTool } from './browser-navigate.ts';
import { browserPressKeyTool } from './browser-press-key.ts';
import { browserScreenshotTool } from './browser-screenshot.ts';
import { browserSelectTool } from './browser-select.ts';
import { browserSnapshotTool } from './browser-snapshot.ts';
import { browserTabsTool } from './browser-tabs.ts';
import { browserTypeTool } from './browser-type.ts';
import { browserWaitTool } from './browser-wait.ts';

/** The tools that work in the browser of a session. */
export function browserTools(): readonly Tool[] {
  return [
    browserNavigateTool(),
    browserSnapshotTool(),
    browserClickTool(),
    browserTypeTool(),
    browserSelectTool(),
    browserPressKeyTool(),
    browserHoverTool(),
    browserWaitTool(),
    browserTabsTool(),
    browserBackTool(),
    browserScreenshotTool(),
    browserEvaluateTool(),
    browserContentTool(),
    browserDialogTool(),
    browserDownloadTool(),
    browserCloseTool(),
  ];
}
