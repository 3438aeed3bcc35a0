/** What programs print when a name or a port cannot be reached; the first group is a host, the second a port. */
const SAYINGS: readonly RegExp[] = [
  /Could not resolve (?:host|proxy): ([\w.-]+)/g,
  /getaddrinfo (?:ENOTFOUND|EAI_AGAIN) ([\w.-]+)/g,
  /Failed to resolve '([\w.-]+)'/g,
  /unable to resolve host address [‘'"]([\w.-]+)/g,
  /Could not resolve hostname ([\w.-]+)/g,
  /lookup ([\w.-]+)(?: on [^:\s]+:\d+)?: (?:no such host|dial|Temporary failure|server misbehaving)/g,
  /Failed to connect to (localhost|127\.0\.0\.1) port (\d+)/g,
  /connect E(?:CONNREFUSED|PERM) (127\.0\.0\.1|::1):(\d+)/g,
  /host='?(localhost|127\.0\.0\.1)'?, port=(\d+)/g,
];
const MOST = 3;
const KEPT_BYTES = 64 * 1024;

/** Watches the output of a command for hosts that it could not reach. */
export interface RefusalWatch {
  add(chunk: Uint8Array): void;
  /** Hosts in the form of a `Network` rule: `example.com`, `localhost:8080`. */
  hosts(): readonly string[];
}

/** Makes one; it keeps the end of the output alone, where programs say why they failed. */
export function watchRefusals(): RefusalWatch {
  const last: Uint8Array[] = [];
  let bytes = 0;
  return {
    add: (chunk) => {
      last.push(chunk);
      bytes += chunk.length;
      for (let first = last[0]; first !== undefined && bytes - first.length >= KEPT_BYTES; first = last[0]) {
        bytes -= first.length;
        last.shift();
      }
    },
    hosts: () => {
      const text = Buffer.concat(last).subarray(-KEPT_BYTES).toString('latin1');
      const found = SAYINGS.flatMap((saying) => [...text.matchAll(saying)].map(([, host = '', port]) => (port === undefined ? host.replace(/[.-]+$/, '') : `localhost:${port}`)));
      return [...new Set(found)].filter((host) => host !== '').slice(0, MOST);
    },
  };
}
