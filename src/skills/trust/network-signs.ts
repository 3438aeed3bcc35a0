const MOST_SIGNS = 5;
/** Bytes that are looked at; more is no text of a person. */
const MOST_BYTES = 1024 * 1024;

const HOST = /\b(?:https?|wss?|ftp|ssh):\/\/([\w.-]+(?::\d+)?)/gi;
const PROGRAM = /\b(curl|wget|nc|ncat|netcat|ssh|scp|rsync|telnet|Invoke-WebRequest|fetch(?=\()|XMLHttpRequest|WebSocket|urllib|requests\.\w+|httpx|aiohttp|http\.client|socket\.socket|net\.connect|WebFetch)(?=$|[\s("'`.;])/g;
/** Hosts that stand in nearly every file and are never asked. */
const NAMES_ONLY = /^(?:www\.)?(?:example\.(?:com|org|net)|w3\.org|json-schema\.org|localhost(?::\d+)?|127\.0\.0\.1(?::\d+)?)$/i;

/** Hosts and programs in a file that look like a use of the network, at most five. Empty for what is no text. */
export function networkSigns(bytes: Uint8Array): readonly string[] {
  if (bytes.length > MOST_BYTES || bytes.includes(0)) return [];
  const text = Buffer.from(bytes).toString();
  const hosts = [...text.matchAll(HOST)].map(([, host = '']) => host.toLowerCase()).filter((host) => !NAMES_ONLY.test(host));
  const programs = [...text.matchAll(PROGRAM)].map(([, program = '']) => program);
  return [...new Set([...programs, ...hosts])].slice(0, MOST_SIGNS);
}
