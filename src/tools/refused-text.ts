/** What a result says of hosts that a sandbox kept its command from; empty for none. */
export function refusedText(hosts: readonly string[] = []): string {
  if (hosts.length === 0) return '';
  const rules = hosts.map((host) => `Network(${host})`);
  return `[The sandbox gives this command no way to ${hosts.join(', ')}. The permission rule ${rules.join(' and ')} would; only the person can give it. The same command again asks them, where the mode asks at all.]`;
}
