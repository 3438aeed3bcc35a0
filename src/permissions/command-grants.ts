import { parseRule, type NetworkRule, type Rule } from './rule.ts';
import type { ParsedRules } from './rules.ts';

/** What rules give to all commands. Hosts stand in the form of `network.allow`. */
export interface CommandGrants {
  readonly hosts: readonly string[];
  /** Deny and ask rules: a command cannot ask in its middle. */
  readonly refused: readonly string[];
  /** Names of variables of the environment. */
  readonly variables: readonly string[];
}

/** Collects the `Network` and `Env` rules. */
export function commandGrants({ allow, ask, deny }: ParsedRules): CommandGrants {
  const against = [...deny, ...ask];
  const networks = networksIn(against);
  const variables = new Set(variablesIn(against));
  return {
    hosts: networks.some(({ host }) => host === '') ? [] : networksIn(allow).filter(({ host }) => host !== '').map(entryOf),
    refused: networks.filter(({ host }) => host !== '').map(entryOf),
    variables: variables.has('') ? [] : variablesIn(allow).filter((name) => name !== '' && !variables.has(name)),
  };
}

/** Those of the hosts (`HOST` or `localhost:PORT`) that no rule speaks of yet, so that a person may be asked for one. */
export function notDecided(hosts: readonly string[], rules: ParsedRules): readonly string[] {
  const given = commandGrants(rules);
  const all = [...rules.deny, ...rules.ask].some((rule) => rule.kind === 'network' && rule.host === '');
  return all ? [] : hosts.filter((host) => ![...given.hosts, ...given.refused].some((entry) => covers(entry, host)));
}

function covers(entry: string, host: string): boolean {
  return entry === host || (entry.startsWith('*.') && host.endsWith(entry.slice(1)));
}

/** True for rules that give commands something; a skill's own list cannot. */
export function givesToCommands({ kind }: Rule): boolean {
  return kind === 'network' || kind === 'variable';
}

/** True for a rule that names this machine or a literal address, which counts even where it leads inward; see docs/network.md. */
export function opensInside(text: string): boolean {
  const answer = parseRule(text, { purpose: 'grant' });
  if (!('rule' in answer) || answer.rule.kind !== 'network') return false;
  const { host } = answer.rule;
  return host === 'localhost' || host.startsWith('[') || /^[\d.]+$/.test(host) || /^0x/i.test(host);
}

/** The rule that lets commands reach a host, given as `HOST` or `localhost:PORT`. */
export function networkRuleFor(host: string): string {
  return `Network(${host})`;
}

function networksIn(rules: readonly Rule[]): readonly NetworkRule[] {
  return rules.flatMap((rule) => (rule.kind === 'network' ? [rule] : []));
}

function variablesIn(rules: readonly Rule[]): readonly string[] {
  return rules.flatMap((rule) => (rule.kind === 'variable' ? [rule.name] : []));
}

function entryOf({ host, below, port }: NetworkRule): string {
  return `${below ? '*.' : ''}${host}${port === undefined ? '' : `:${port}`}`;
}
