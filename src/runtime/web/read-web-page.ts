import { displayUrl } from '../../egress/display-url.ts';
import { parseAllowList } from '../../egress/allow-list.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { failed, type ToolOutcome } from '../../protocol/tool.ts';
import { readMedia } from '../../tools/read-media.ts';
import type { WebAccess, WebCall } from '../../tools/define.ts';
import { fetchPage } from '../../web/fetch-page.ts';
import type { Page, TextPage } from '../../web/page.ts';
import { noPage, pageText } from '../../web/page-outcome.ts';
import { askSmallModel } from './ask-small-model.ts';
import { grantAdvice } from './grant-advice.ts';
import type { WebParts } from './web-parts.ts';
import { grantedAddresses, webGuard } from './web-guard.ts';

type Request = Parameters<WebAccess['fetch']>[0];

/** A page for the model; what the guard refuses or the network does not give is a failure in a sentence. */
export async function readWebPage(web: WebParts, { url, prompt, offset }: Request, call: WebCall): Promise<ToolOutcome> {
  let page: Page;
  try {
    page = await pageAt(web, url, call.signal);
  } catch (error) {
    if (error instanceof SkillmintError) return failed(`${error.message}${grantAdvice(error, url)}`);
    throw error;
  }
  if (page.kind === 'redirect' || page.kind === 'problem') return noPage(page);
  if (page.kind === 'media') {
    const { bytes, mediaType } = page;
    return readMedia({ shown: displayUrl(new URL(page.url)), size: bytes.length, mediaType, read: async () => bytes, details: { url: page.url, media_type: mediaType } }, call.accepts);
  }
  return prompt === undefined ? pageText(page, offset) : answerFrom(web, { page, prompt, offset }, call.signal);
}

/** Pages of the internet are kept for a while; those of this machine and of private networks change while one works on them. */
async function pageAt(web: WebParts, url: URL, signal: AbortSignal): Promise<Page> {
  const rules = web.permit.rules();
  const allow = [...web.settings.network.allow, ...grantedAddresses(rules)];
  const list = parseAllowList(allow);
  const isListed = ({ hostname, port, protocol }: URL): boolean => list.look(hostname, Number(port || (protocol === 'https:' ? 443 : 80))).listed;
  const refusal = (address: string): Promise<string | undefined> => refusalOf(web, address);
  const known = isListed(url) ? undefined : web.pages.get(url.href);
  if (known && (known.url === url.href || (await refusal(known.url)) === undefined)) return known;
  const page = await fetchPage(url, { fetch: webGuard(web, allow).fetch, signal, isListed, refusal });
  if (page.kind === 'text' && !isListed(url) && !isListed(new URL(page.url))) web.pages.put(url.href, page);
  return page;
}

/** What rules and mode say against an address that a page leads to on the site that was decided on. */
async function refusalOf({ permit }: WebParts, url: string): Promise<string | undefined> {
  const { decide } = await import('../../permissions/decide.ts');
  const verdict = decide({
    call: { tool: 'WebFetch', needs: [{ action: 'network', url }], readOnly: true },
    mode: permit.state.permission_mode,
    rules: permit.rules(),
    workspace: permit.workspace(),
    locate: [],
    ...(permit.restriction ? { restriction: permit.restriction } : {}),
  });
  return verdict.verdict === 'deny' ? verdict.reason : undefined;
}

async function answerFrom(web: WebParts, { page, prompt, offset }: { readonly page: TextPage; readonly prompt: string; readonly offset: number }, signal: AbortSignal): Promise<ToolOutcome> {
  const { smallModel } = web.settings;
  const asked = `The question was: ${prompt}`;
  if (smallModel === undefined) return pageText(page, offset, asked);
  const answer = await askSmallModel(web.parts, { settings: web.settings, name: smallModel, page, prompt, offset }, signal);
  if ('outcome' in answer) return answer.outcome;
  return pageText(page, offset, `${smallModel} could not answer (${answer.failure}), so here is the page itself. ${asked}`);
}
