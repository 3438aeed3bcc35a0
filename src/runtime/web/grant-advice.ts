import { isIP } from 'node:net';
import { addressProblem } from '../../egress/address-check.ts';
import { plainHost } from '../../egress/allow-list.ts';
import type { SkillmintError } from '../../protocol/errors.ts';

/** The rule that is missing for a server of this machine or of a private network; none gives what hands out credentials. */
export function grantAdvice({ code }: SkillmintError, url: URL): string {
  if (code !== 'egress_refused') return '';
  const host = plainHost(url.hostname);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  if (['localhost', '127.0.0.1', '::1'].includes(host)) return ` A person can also give the rule Network(localhost:${port}).`;
  const problem = isIP(host) === 0 ? undefined : addressProblem(host);
  return problem === undefined || problem.literalOnly || problem.what === 'this machine' ? '' : ` A person can also give the rule Network(${url.hostname}).`;
}
