/**
 * Which folder of src/ may import what. `folders`: other folders, or single files of them (`host/host.ts`); its own folder
 * always. `packages`: npm packages. `node`: built-in modules, `true` for all of them.
 * A folder that is not listed is an error: a new one gets its line here first.
 */
const LEAF = ['protocol', 'util'];
const NODE_WITHOUT_IO = ['node:path', 'node:url', 'node:buffer', 'node:vm'];

export const IMPORT_MATRIX = {
  protocol: { folders: [], packages: [], node: [] },
  util: { folders: ['protocol'], packages: [], node: [] },
  agent: { folders: [...LEAF, 'model/model.ts'], packages: [], node: [] },
  permissions: { folders: LEAF, packages: ['picomatch', 'unbash'], node: [] },
  evaluate: { folders: [...LEAF, 'skills', 'agent'], packages: [], node: [] },
  model: { folders: [...LEAF, 'egress'], packages: ['eventsource-parser'], node: [] },
  egress: { folders: LEAF, packages: ['undici'], node: true },
  host: { folders: LEAF, packages: ['@vscode/ripgrep', 'picomatch'], node: true },
  sandbox: { folders: [...LEAF, 'host', 'egress'], packages: [], node: true },
  tools: { folders: [...LEAF, 'host/host.ts', 'host/paths.ts', 'host/stamp.ts', 'host/glob-filter.ts'], packages: ['@cfworker/json-schema', 'diff', 'picomatch'], node: NODE_WITHOUT_IO },
  skills: { folders: [...LEAF, 'host', 'store', 'egress', 'tools/define.ts', 'hooks/parse-hooks.ts'], packages: ['age-encryption', 'diff', 'semver', 'tar', 'yaml', 'yauzl'], node: true },
  web: { folders: [...LEAF, 'egress', 'tools/file-kind.ts', 'tools/page-address.ts', 'tools/read-media.ts'], packages: ['htmlparser2'], node: true },
  mcp: { folders: [...LEAF, 'host', 'egress', 'tools/define.ts'], packages: ['@modelcontextprotocol/client'], node: true },
  browser: { folders: [...LEAF, 'host', 'egress', 'tools/define.ts', 'web/html-text.ts', 'web/page.ts', 'web/page-outcome.ts'], packages: ['playwright-core'], node: true },
  hooks: { folders: [...LEAF, 'host/host.ts', 'permissions/rule.ts'], packages: [], node: NODE_WITHOUT_IO },
  memory: { folders: [...LEAF, 'host/host.ts'], packages: [], node: [...NODE_WITHOUT_IO, 'node:crypto'] },
  store: { folders: LEAF, packages: ['libsql', 'pg'], node: true },
  sessions: { folders: [...LEAF, 'store'], packages: ['pg-boss'], node: true },
  telemetry: { folders: [...LEAF, 'egress/http-fetch.ts'], packages: ['@opentelemetry/api', '@opentelemetry/core', '@opentelemetry/otlp-transformer', '@opentelemetry/resources', '@opentelemetry/sdk-trace', 'prom-client'], node: [] },
  config: { folders: [...LEAF, 'permissions', 'host/host.ts'], packages: ['jsonc-parser'], node: NODE_WITHOUT_IO },
  runtime: {
    folders: [...LEAF, 'agent', 'permissions', 'evaluate', 'model', 'egress', 'host', 'sandbox', 'tools', 'skills', 'web', 'mcp', 'browser', 'hooks', 'memory', 'store', 'sessions', 'config'],
    packages: ['@cfworker/json-schema'],
    node: true,
  },
  // What can be asked of a server, and who asks it: they run in browsers, too.
  api: { folders: [...LEAF], packages: [], node: [] },
  client: { folders: [...LEAF, 'api'], packages: ['eventsource-parser'], node: [] },
  server: { folders: [...LEAF, 'api', 'runtime', 'config', 'telemetry', 'host/file-lock.ts', 'host/local-clock.ts', 'host/local-tree.ts', 'host/local-write.ts', 'host/open-outside.ts', 'host/paths.ts', 'host/process-identity.ts', 'permissions/command-grants.ts', 'tools/describe-problem.ts'], packages: ['@cfworker/json-schema', 'hono', '@hono/node-server'], node: true },
  // A server of the Model Context Protocol: skills for the clients of others.
  'mcp-server': { folders: [...LEAF, 'runtime', 'server', 'host/host.ts', 'host/local-tree.ts', 'skills/discover/skill-entry.ts', 'skills/files.ts'], packages: ['@modelcontextprotocol/server', 'hono'], node: true },
  // Listings work on the parts themselves: they need no runtime, and their start is measured.
  cli: { folders: [...LEAF, 'egress/model-fetch.ts', 'telemetry', 'runtime', 'evaluate/report', 'evaluate/runs/evaluation-event.ts', 'server', 'mcp-server', 'acp', 'config', 'host', 'model', 'skills', 'permissions/mode.ts'], packages: ['@mariozechner/pi-tui', 'commander', 'diff'], node: true },
  // The web interface (web/src/): it renders what the API gives.
  interface: { folders: ['protocol', 'api', 'client', 'evaluate/report/plot-layout.ts', 'evaluate/report/report.ts', 'evaluate/report/words.ts', 'evaluate/runs/plan.ts', 'evaluate/statistics/verdict.ts'], packages: ['@tanstack/react-query', 'diff', 'react', 'react-dom', 'react-markdown', 'remark-gfm', 'uplot', 'virtua', 'wouter'], node: [] },
  acp: { folders: [...LEAF, 'runtime', 'config'], packages: ['@agentclientprotocol/sdk'], node: true },
  // Skills for the loops of other libraries, of which only the form is known here.
  adapters: { folders: [...LEAF, 'runtime/skill-tools/skill-tool.ts'], packages: [], node: [] },
  testing: { folders: [...LEAF, 'model', 'host', 'egress', 'permissions', 'sessions', 'tools', 'runtime/permissions/permit.ts'], packages: ['picomatch'], node: true },
};

/** Files directly in src/ that any folder may import and that import nothing themselves. */
export const SHARED_FILES = ['src/version.ts'];

/** Entries of the package, which may re-export from anywhere. */
export const PACKAGE_ENTRIES = ['src/index.ts', 'src/client/index.ts', 'src/testing/index.ts'];
