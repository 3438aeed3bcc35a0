import { spawn, type ChildProcess } from 'node:child_process';
import net from 'node:net';
import { isObject } from '../../protocol/json.ts';
import type { NetworkNamespace } from './namespace.ts';

/** A process of ours in a network namespace that opens sockets there and hands them over; it passes on no byte itself. */
export interface Outpost {
  /** Listens on 127.0.0.1 in the namespace (port 0 for any); rejects with the system's code, as EADDRINUSE. */
  listen(port: number, onConnection: (socket: net.Socket) => void): Promise<{ readonly port: number; readonly close: () => void }>;
  /** Connects to a port of 127.0.0.1 in the namespace. */
  connect(port: number): Promise<net.Socket>;
  close(): void;
}

/** A socket belongs to the namespace of the process that opened it, whoever uses it afterwards. */
const PROGRAM = `
const net = require('node:net');
process.on('disconnect', () => process.exit());
process.on('message', ({ id, listen, connect }) => {
  const fail = (error) => process.send({ id, error: error.code || error.message });
  if (listen !== undefined) {
    const server = net.createServer().on('error', fail);
    server.listen({ port: listen, host: '127.0.0.1' }, () => process.send({ id, port: server.address().port }, server, () => server.close()));
  } else {
    const socket = net.connect({ port: connect, host: '127.0.0.1' }).on('error', fail);
    socket.once('connect', () => process.send({ id }, socket));
  }
});
process.send({ id: 0 });
`;

interface Waiting {
  readonly resolve: (answer: { readonly message: Readonly<Record<string, unknown>>; readonly handle: unknown }) => void;
  readonly reject: (error: Error) => void;
}

/** Starts it; about as long as Node takes to start. It ends with this process. */
export async function startOutpost(namespace: NetworkNamespace): Promise<Outpost> {
  const [program, ...args] = namespace.enter;
  const child = spawn(program, [...args, process.execPath, '-e', PROGRAM], { env: {}, cwd: '/', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const waiting = new Map<number, Waiting>();
  const sockets = new Set<net.Socket | net.Server>();
  let last = 0;
  const answered = (id: number): Promise<{ readonly message: Readonly<Record<string, unknown>>; readonly handle: unknown }> => new Promise((resolve, reject) => void waiting.set(id, { resolve, reject }));
  const ask = (what: object): ReturnType<typeof answered> => {
    last += 1;
    const answer = answered(last);
    if (child.connected) child.send({ id: last, ...what });
    else waiting.get(last)?.reject(new Error('the helper in the network of the session has ended'));
    return answer;
  };
  listenTo(child, waiting);
  await answered(0);
  child.unref();
  child.channel?.unref();
  return {
    async listen(port, onConnection) {
      const { message, handle } = await ask({ listen: port });
      if (!(handle instanceof net.Server)) throw new Error('no listener came');
      sockets.add(handle);
      handle.on('connection', onConnection).unref();
      return { port: Number(message['port']), close: () => void handle.close() };
    },
    async connect(port) {
      const { handle } = await ask({ connect: port });
      if (!(handle instanceof net.Socket)) throw new Error('no connection came');
      return handle;
    },
    close() {
      for (const socket of sockets) if (socket instanceof net.Server) socket.close();
      child.kill('SIGKILL');
    },
  };
}

function listenTo(child: ChildProcess, waiting: Map<number, Waiting>): void {
  const take = (id: number): Waiting | undefined => {
    const one = waiting.get(id);
    waiting.delete(id);
    return one;
  };
  child.on('message', (message, handle) => {
    if (!isObject(message)) return;
    const one = take(Number(message['id']));
    const { error } = message;
    if (typeof error === 'string') one?.reject(Object.assign(new Error(error), { code: error }));
    else one?.resolve({ message, handle });
  });
  const end = (error: Error): void => {
    for (const one of waiting.values()) one.reject(error);
    waiting.clear();
  };
  child.on('error', end);
  child.on('exit', () => end(new Error('the helper in the network of the session has ended')));
}
