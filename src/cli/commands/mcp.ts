import { Option, type Command } from 'commander';
import { collect, wholeNumber } from '../options.ts';

const SCOPES = ['user', 'project'] as const;

/** `skillmint mcp`. */
export function defineMcp(program: Command): void {
  const mcp = program.command('mcp').description('servers of the Model Context Protocol: add, look at, approve, remove');
  defineAdd(mcp);
  defineLooking(mcp);
  defineApprove(mcp);
  defineLogins(mcp);
  defineServe(mcp);
  mcp.command('remove <name>').description('remove a server from your settings or from the .mcp.json of the project')
    .addOption(new Option('--scope <scope>', 'where it is; needed when both have one of that name').choices(SCOPES))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  skillmint mcp remove files')
    .action(async (name: string, _options, self: Command) => (await import('../mcp/remove-command.ts')).removeServerCommand(name, self.opts()));
}

function defineAdd(mcp: Command): void {
  mcp.command('add <name> <command-or-url> [args...]').description('add a server: a program with its arguments after --, or an address')
    .addOption(new Option('-s, --scope <scope>', 'user: in your settings, for all your work; project: in .mcp.json, for everyone who works on it').choices(SCOPES).default('user'))
    .addOption(new Option('-t, --transport <kind>', 'how to speak with it: stdio for a program, http or (the older form) sse for an address').choices(['stdio', 'http', 'sse']))
    .option('-e, --env <NAME=VALUE>', 'a variable that the program gets; may be given several times', collect)
    .option('-H, --header <NAME: VALUE>', 'a header for an address; may be given several times', collect)
    .option('--cwd <folder>', 'folder that the program runs in')
    .option('--timeout <ms>', 'how long one call may take; 60000 when left out', wholeNumber(100))
    .option('--no-roots', 'do not tell it of the folders of a session, which some servers work in instead of those they were given')
    .option('--replace', 'in place of a server of that name')
    .option('--json', 'print JSON')
    .addHelpText('after', `
\${NAME} and \${NAME:-default} in values stand for variables of your environment, so that no secret has to stand in the file.
A program gets a scrubbed environment and what --env gives it. It runs outside the sandbox, with your rights; each call of
its tools asks unless a rule such as mcp__NAME or mcp__NAME__TOOL allows it.

Examples:
  skillmint mcp add --no-roots files -- npx -y @modelcontextprotocol/server-filesystem ~/documents
  skillmint mcp add --env 'TOKEN=\${GITHUB_TOKEN}' github -- github-mcp-server stdio
  skillmint mcp add --header 'Authorization: Bearer \${API_TOKEN}' docs https://mcp.example.com/mcp`)
    .action(async (name: string, target: string, args: readonly string[], _options, self: Command) => (await import('../mcp/add-command.ts')).addServerCommand({ name, target, args }, self.opts()));
}

function defineServe(mcp: Command): void {
  mcp.command('serve').description('serve the skills of this folder to MCP clients: search, load, read, run scripts in the sandbox')
    .option('--http', 'serve over HTTP instead of standard input and output')
    .option('--host <address>', 'with --http: address to listen on; one beyond this machine takes --token-file', '127.0.0.1')
    .option('--port <number>', 'with --http: port, 0 for a free one', wholeNumber(0), 8766)
    .option('--token-file <file>', 'with --http: the token that clients send, instead of the one that is made and printed')
    .option('--allow-host <name...>', 'with --http: further names by which the server may be asked')
    .option('--json', 'with --http: print address and token as JSON')
    .addHelpText('after', `
Skills are offered as resources (skill://SOURCE/NAME/SKILL.md), through the skills extension, and by four tools: find_skills,
load_skill, read_skill_file, run_skill_script. A script runs in the sandbox, after the person has agreed in the client, or with
the rule run_skill_script in permissions.allow for trusted skills. Skills that only persons may call are not served.

Examples:
  claude mcp add skills -- skillmint mcp serve
  skillmint mcp serve --http --port 8766`)
    .action(async (_options, self: Command) => (await import('../mcp/serve-skills-command.ts')).serveSkillsCommand(self.opts()));
}

function defineLooking(mcp: Command): void {
  mcp.command('list').description('all servers of this folder, and how they are doing; starts each that may be used')
    .option('--no-connect', 'only read the files')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  skillmint mcp list\n  skillmint mcp list --json --no-connect')
    .action(async (_options, self: Command) => (await import('../mcp/list-command.ts')).listServersCommand(self.opts()));
  mcp.command('test <name>').description('connect to one server and show what it offers')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nA program may take 120 s to start; meanwhile standard error says how it is doing.\nThe exit code is 1 when it cannot be used, and 6 when it is not approved.\n\nExample:\n  skillmint mcp test files')
    .action(async (name: string, _options, self: Command) => {
      process.exitCode = await (await import('../mcp/test-command.ts')).testServerCommand(name, self.opts());
    });
}

function defineLogins(mcp: Command): void {
  mcp.command('login <name>').description('log in at a server with OAuth: prints an address for your browser and waits')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nTokens are kept in mcp-logins.json of the data folder, readable for you alone, and renewed by themselves.\n\nExample:\n  skillmint mcp login docs')
    .action(async (name: string, _options, self: Command) => (await import('../mcp/login-command.ts')).loginCommand(name, self.opts()));
  mcp.command('logout <name>').description('remove the login at a server from this machine')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  skillmint mcp logout docs')
    .action(async (name: string, _options, self: Command) => (await import('../mcp/login-command.ts')).logoutCommand(name, self.opts()));
}

function defineApprove(mcp: Command): void {
  mcp.command('approve <names...>').description('show what servers of this project would run, and ask whether they may')
    .option('-y, --yes', 'approve without a question')
    .option('--revoke', 'take approval back')
    .option('--json', 'print JSON')
    .addHelpText('after', `
A server of a project (.mcp.json, or the settings of a trusted folder) is used only as it was when you approved it: any
change of its definition asks again. Without a terminal nothing is approved unless --yes is given; the exit code is 6 then.

Examples:
  skillmint mcp approve database
  skillmint mcp approve database --revoke`)
    .action(async (names: readonly string[], _options, self: Command) => (await import('../mcp/approve-command.ts')).approveServersCommand(names, self.opts()));
}
