/** Lists of strings of this shape: permission rules, hosts, folders. */
const TEXTS = { type: 'array', items: { type: 'string', minLength: 1 } } as const;

const PRICE = {
  type: 'object',
  description: 'USD per million tokens.',
  properties: {
    input: { type: 'number', minimum: 0 },
    output: { type: 'number', minimum: 0 },
    cache_read: { type: 'number', minimum: 0 },
    cache_write: { type: 'number', minimum: 0 },
  },
  required: ['input', 'output'],
  additionalProperties: false,
} as const;

const MODEL = {
  type: 'object',
  properties: {
    id: { type: 'string', minLength: 1 },
    contextWindow: { type: 'integer', minimum: 1, description: 'Tokens that fit into one request and its reply.' },
    maxOutput: { type: 'integer', minimum: 1, description: 'Largest reply in tokens.' },
    price: PRICE,
    images: { type: 'boolean', description: 'Whether the model takes pictures.' },
  },
  required: ['id'],
  additionalProperties: false,
} as const;

/** Without a name and password, which would be shown wherever the address is. */
const ADDRESS = '^https?://[^\\s/?#@\\\\]+(?:[/?#][^\\s]*)?$';

const PROVIDER = {
  type: 'object',
  properties: {
    api: { type: 'string', enum: ['anthropic', 'openai-chat', 'openai-responses'], description: 'Wire format. Left out for the name of a known provider.' },
    baseUrl: { type: 'string', pattern: ADDRESS, description: 'For example http://localhost:8000/v1' },
    apiKey: {
      description: 'The key, or the environment variable that holds it: { "env": "NAME" }.',
      anyOf: [
        { type: 'string', minLength: 1 },
        { type: 'object', properties: { env: { type: 'string', minLength: 1 } }, required: ['env'], additionalProperties: false },
      ],
    },
    headers: { type: 'object', additionalProperties: { type: 'string' }, description: 'Sent with every request.' },
    models: { type: 'array', items: MODEL },
  },
  additionalProperties: false,
} as const;

const PERMISSIONS = {
  type: 'object',
  properties: {
    mode: { type: 'string', enum: ['default', 'acceptEdits', 'plan', 'dontAsk', 'unrestricted', 'bypassPermissions'], description: 'What happens without a question. bypassPermissions is another name of unrestricted.' },
    allow: { ...TEXTS, description: 'Rules such as "Bash(git status:*)" or "Edit(src/**)": these calls do not ask.' },
    ask: { ...TEXTS, description: 'Rules: these calls always ask.' },
    deny: { ...TEXTS, description: 'Rules: these calls are refused; nothing overrides them.' },
  },
  additionalProperties: false,
} as const;

const EMBEDDINGS = {
  type: 'object',
  description: 'An OpenAI-compatible endpoint for embeddings.',
  properties: {
    baseUrl: { type: 'string', pattern: ADDRESS },
    model: { type: 'string', minLength: 1 },
    apiKey: PROVIDER.properties.apiKey,
  },
  required: ['baseUrl', 'model'],
  additionalProperties: false,
} as const;

const SKILLS = {
  type: 'object',
  properties: {
    enabled: { type: 'object', additionalProperties: { type: 'boolean' }, description: 'Skill id → false to switch it off.' },
    paths: { ...TEXTS, description: 'Further folders with skills.' },
    createIn: { type: 'string', minLength: 1, description: '"user", "project" or a folder for new skills.' },
    allowedTools: { type: 'string', enum: ['grant', 'restrict'], description: 'What allowed-tools of a trusted skill means in a running conversation.' },
    npm: { type: 'boolean', description: 'Whether skills are found in npm packages of the project.' },
    embeddings: EMBEDDINGS,
    generateTags: { type: 'boolean', description: 'Whether the small model writes search tags for skills beside turns.' },
    offerMeta: { type: 'boolean', description: 'Whether turns are offered skills about skills (type: meta) like all others.' },
    interpreters: { type: 'object', propertyNames: { pattern: '^[A-Za-z0-9_-]+$' }, additionalProperties: TEXTS, description: 'File name extension, for example rb → program and arguments that run such scripts, for example ["ruby"].' },
  },
  additionalProperties: false,
} as const;

const SEARCH = {
  type: 'object',
  description: 'The engine that WebSearch asks; DuckDuckGo without a key when left out.',
  properties: {
    engine: { type: 'string', enum: ['duckduckgo', 'brave', 'google', 'bing', 'searxng'] },
    apiKey: PROVIDER.properties.apiKey,
    engineId: { type: 'string', minLength: 1, description: 'Of google: the id (cx) of the programmable search engine.' },
    baseUrl: { type: 'string', pattern: '^https?://[^\\s]+$', description: 'Of searxng: where its start page is, for example http://localhost:8888' },
  },
  required: ['engine'],
  additionalProperties: false,
} as const;

const SANDBOX_MODE = { type: 'string', enum: ['required', 'ask', 'off', 'on'] } as const;

const SANDBOX = {
  description: 'What happens without a sandbox; on is another name of required. Or an object with that as mode, and limits.',
  anyOf: [
    SANDBOX_MODE,
    {
      type: 'object',
      properties: {
        mode: { ...SANDBOX_MODE, description: 'What happens without a sandbox.' },
        limits: {
          type: 'object',
          description: 'What one command in the sandbox may use, with all that it starts.',
          properties: {
            memoryMb: { type: 'integer', minimum: 16, description: 'MiB of memory; 1024 when left out.' },
            processes: { type: 'integer', minimum: 16, description: 'Processes and threads at once; 256 when left out.' },
          },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
  ],
} as const;

const HOOKS = {
  type: 'object',
  description: 'Event, for example PreToolUse → commands that run at it, in the form of Claude Code.',
  propertyNames: { pattern: '^[A-Za-z0-9_-]+$' },
  additionalProperties: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        matcher: { type: 'string', description: 'Names of tools with | between them, or a regular expression; all when left out.' },
        hooks: {
          type: 'array',
          items: {
            type: 'object',
            // Other types, and what they take, are read and reported as not supported.
            properties: {
              type: { type: 'string', minLength: 1, description: 'command' },
              command: { type: 'string', minLength: 1, description: 'A line for the shell, or with args a program.' },
              args: { type: 'array', items: { type: 'string' } },
              timeout: { type: 'number', exclusiveMinimum: 0, description: 'Seconds; 600 when left out.' },
              if: { type: 'string', minLength: 1, description: 'A permission rule that the call has to meet.' },
              once: { type: 'boolean', description: 'Runs once in a session.' },
              shell: { type: 'string', enum: ['bash', 'powershell'] },
            },
            required: ['type'],
          },
        },
      },
      required: ['hooks'],
      additionalProperties: false,
    },
  },
} as const;

const MCP_SERVER = {
  type: 'object',
  properties: {
    type: { type: 'string', enum: ['stdio', 'http', 'streamable-http', 'sse'], description: 'Left out: stdio with a command, http with a url.' },
    command: { type: 'string', minLength: 1, description: 'A program, run without a shell; ${NAME} and ${NAME:-default} stand for variables here and in the other texts.' },
    args: { type: 'array', items: { type: 'string' } },
    env: { type: 'object', additionalProperties: { type: 'string' }, description: 'Variables that the program gets beside the harmless ones.' },
    cwd: { type: 'string', minLength: 1, description: 'Folder that the program runs in.' },
    url: { type: 'string', pattern: '^(?:https?://|\\$\\{)\\S+$', description: 'Address of a server over HTTP.' },
    headers: { type: 'object', additionalProperties: { type: 'string' }, description: 'Sent with every request.' },
    timeout: { type: 'integer', minimum: 100, description: 'ms that one call may take; 60000 when left out.' },
    disabled: { type: 'boolean', description: 'true switches it off.' },
    roots: { type: 'boolean', description: 'Whether it is told of the folders of the session when it asks; left out, programs are and addresses are not.' },
  },
  additionalProperties: false,
} as const;

/** JSON Schema of a settings file; published with the package, used to check every layer. */
export const SETTINGS_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Settings of skillmint',
  type: 'object',
  properties: {
    $schema: { type: 'string', description: 'Address of this schema, for editors.' },
    model: { type: 'string', pattern: '^[^/\\s]+/\\S+$', description: 'Default model, PROVIDER/MODEL.' },
    smallModel: { type: 'string', pattern: '^[^/\\s]+/\\S+$', description: 'Model for work on the side, as search tags of skills, PROVIDER/MODEL.' },
    effort: { type: 'string', enum: ['low', 'medium', 'high', 'xhigh', 'max'], description: 'How hard the model thinks, where it can be told.' },
    providers: { type: 'object', propertyNames: { pattern: '^[A-Za-z0-9_-]+$' }, additionalProperties: PROVIDER, description: 'Name → endpoint; also changes known providers.' },
    permissions: PERMISSIONS,
    sandbox: SANDBOX,
    network: {
      type: 'object',
      properties: { allow: { ...TEXTS, description: 'Hosts, HOST:PORT or *.DOMAIN, that may be on this machine or in a private network.' } },
      additionalProperties: false,
    },
    search: SEARCH,
    skills: SKILLS,
    hooks: HOOKS,
    mcpServers: { type: 'object', propertyNames: { pattern: '^[A-Za-z0-9_-]+$' }, additionalProperties: MCP_SERVER, description: 'Name → server of the Model Context Protocol, a program or an address.' },
    systemPrompt: { type: 'string', description: 'Replaces the built-in rules at the head of the system prompt.' },
    userPrompt: { type: 'string', description: 'Added to the system prompt of every session.' },
    instructions: { type: 'boolean', description: 'Whether AGENTS.md and CLAUDE.md are part of the system prompt; true when left out.' },
    memory: { type: 'boolean', description: 'Whether there are a memory and the tool for it; true when left out.' },
    maxCost: { type: 'number', exclusiveMinimum: 0, description: 'USD after which a turn ends.' },
    maxTurns: { type: 'integer', minimum: 1, description: 'Model calls after which a turn ends.' },
    agents: {
      type: 'object',
      description: 'Sub-agents.',
      properties: {
        maxDepth: { type: 'integer', minimum: 0, maximum: 5, description: 'How deep sub-agents may start sub-agents: 1 for not at all, 0 for no sub-agents.' },
        parallel: { type: 'integer', minimum: 1, maximum: 50, description: 'Sub-agents of one session that run at once; others wait.' },
      },
      additionalProperties: false,
    },
    evaluate: {
      type: 'object',
      description: 'Evaluation of skills.',
      properties: { judge: { type: 'string', pattern: '^[^/\\s]+/\\S+$', description: 'Model that judges results, PROVIDER/MODEL; the one that works when left out.' }, keep: { type: 'integer', minimum: 0, description: 'Evaluations, and enhancements, that are kept when a new one is begun; 0 for all.' } },
      additionalProperties: false,
    },
    browser: {
      type: 'object',
      properties: {
        headless: { type: 'boolean', description: 'Whether the browser has no window; false where there is a display.' },
        executable: { type: 'string', minLength: 1, description: 'Path of a Chromium, Chrome or Edge.' },
        idleMinutes: { type: 'number', exclusiveMinimum: 0, description: 'Minutes without use after which pages, and then the browser, are ended.' },
      },
      additionalProperties: false,
    },
    serve: { type: 'object', properties: { roots: { ...TEXTS, description: 'Folders in which clients may start sessions.' } }, additionalProperties: false },
    addDirs: { ...TEXTS, description: 'Further folders that belong to the workspace.' },
    trustedFolders: { ...TEXTS, description: 'Folders whose project settings and skills count in full.' },
  },
  additionalProperties: false,
} as const;
