// A host application that starts the sidecar, uses an MCP server through it, and ends it.
// node docs/examples/sidecar-host.mjs COMMAND [ARGUMENTS…], for example npx -y @modelcontextprotocol/server-everything
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';

const [command = 'npx', ...args] = process.argv.length > 2 ? process.argv.slice(2) : ['npx', '-y', '@modelcontextprotocol/server-everything'];
const token = randomBytes(32).toString('hex');
const sidecar = spawn('skillmint', ['sidecar', '--port', '0', '--json'], { env: { ...process.env, SKILLMINT_TOKEN: token }, stdio: ['ignore', 'pipe', 'inherit'] });
const { url } = JSON.parse(String((await once(sidecar.stdout, 'data'))[0]));

const post = async (path, body = {}) => {
  const answer = await fetch(`${url}/api/${path}`, { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const { output, error } = await answer.json();
  if (!answer.ok) throw new Error(error);
  return output;
};

try {
  const health = await fetch(`${url}/health`);
  console.log((await health.json()).status);
  await post('mcp/add-server', { name: 'tools', command, args });
  const tools = JSON.parse(await post('mcp/list-tools', { server_name: 'tools' }));
  console.log(`${tools.length} tools, among them ${tools[0].name}`);
  console.log(await post('mcp/call-tool', { server_name: 'tools', tool_name: 'echo', arguments: { message: 'hello' } }));
} finally {
  sidecar.kill('SIGTERM');
  await once(sidecar, 'exit');
}
