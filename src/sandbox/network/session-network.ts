import net from 'node:net';
import type { EgressRules, LocalServers } from '../../egress/check-target.ts';
import type { LocalProxy } from '../../egress/local-proxy.ts';
import { systemCode } from '../../protocol/errors.ts';
import { grantGate, LOOPBACK, type NetworkGrants } from './grant-gate.ts';
import { grantProxyEnvironment, startGrantProxy } from './grant-proxy.ts';
import { makeNamespace, namespaceProblem, type NamespacePrograms, type NetworkNamespace } from './namespace.ts';
import { startOutpost, type Outpost } from './outpost.ts';

/** How one command comes into the network of its session. */
export interface NetworkEntrance {
  /** Stands before bubblewrap. */
  readonly enter: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where commands share the loopback of this machine: the ports of it that this one may listen on and connect to. */
  readonly ports?: { readonly listen: readonly number[]; readonly connect: readonly number[] };
  /** Hosts that the proxy has refused since the command came in. */
  readonly refused: () => readonly string[];
}

/** The network that all commands of one session share. */
export interface SessionNetwork {
  /**
   * Makes what is missing for these grants. Where the system allows no shared network, undefined, and each command has to have one
   * of its own; rejects when there are grants, which could not hold then.
   */
  open(grants: NetworkGrants): Promise<NetworkEntrance | undefined>;
  /** A line to a server that a command of the session runs, or undefined when nothing listens there; see `LocalServers`. */
  readonly connect: LocalServers;
  close(): Promise<void>;
}

/** What a session's network is made of. `rules` check what leaves the machine; their list holds for addresses that no grant names. */
export interface SessionNetworkOptions {
  readonly programs: NamespacePrograms;
  readonly rules: () => EgressRules;
}

const CONNECT_MS = 1_000;

/** Makes the network with the first command that needs it; the helper and the proxy with the first grant. */
export function sessionNetwork(options: SessionNetworkOptions): SessionNetwork {
  let namespace: Promise<NetworkNamespace> | undefined;
  let outpost: Promise<Outpost> | undefined;
  let proxy: Promise<LocalProxy> | undefined;
  const gate = grantGate();
  const doors = new Map<number, { readonly close: () => void }>();
  const place = (): Promise<NetworkNamespace> => (namespace ??= makeNamespace(options.programs));
  const post = (): Promise<Outpost> => (outpost ??= place().then(startOutpost));
  const startProxy = async (): Promise<LocalProxy> => startGrantProxy({ outpost: await post(), rules: options.rules(), admits: gate.admits });
  return {
    async open(grants) {
      const { enter } = await place().catch((error: unknown) => {
        if (grants.hosts.length > 0) throw namespaceProblem(error);
        return { enter: undefined };
      });
      if (!enter) return undefined;
      gate.set(grants);
      const ports = gate.localPorts();
      const leaves = gate.leaves();
      for (const [port, door] of doors) {
        if (ports.includes(port)) continue;
        door.close();
        doors.delete(port);
      }
      for (const port of ports) await setDoor(doors, port, post);
      const env = leaves ? grantProxyEnvironment((await (proxy ??= startProxy())).url) : {};
      return { enter, env, refused: gate.mark() };
    },
    async connect(port) {
      // Before the first command there is no server of the session.
      if (!namespace) return undefined;
      try {
        return await (await post()).connect(port);
      } catch (error) {
        if (systemCode(error) === 'ECONNREFUSED') return undefined;
        throw error;
      }
    },
    async close() {
      for (const door of doors.values()) door.close();
      doors.clear();
      // What could not be made needs no end.
      const [first, second, third] = await Promise.allSettled([proxy, outpost, namespace]);
      if (first.status === 'fulfilled') await first.value?.close();
      if (second.status === 'fulfilled') second.value?.close();
      if (third.status === 'fulfilled') third.value?.close();
      namespace = outpost = proxy = undefined;
    },
  };
}

/**
 * A granted port leads to a server of this machine while one listens there; else it is left free, so that a command may
 * listen on it. One of a command that has it already keeps it.
 */
async function setDoor(doors: Map<number, { readonly close: () => void }>, port: number, post: () => Promise<Outpost>): Promise<void> {
  const there = await connectHere(port);
  there?.destroy();
  if (!there) {
    doors.get(port)?.close();
    doors.delete(port);
    return;
  }
  if (doors.has(port)) return;
  try {
    doors.set(port, await (await post()).listen(port, (socket) => void join(socket, port)));
  } catch (error) {
    if (systemCode(error) !== 'EADDRINUSE') throw error;
  }
}

async function join(inside: net.Socket, port: number): Promise<void> {
  inside.on('error', () => inside.destroy());
  const outside = await connectHere(port);
  if (!outside) return void inside.destroy();
  outside.on('error', () => outside.destroy());
  inside.on('close', () => outside.destroy());
  outside.on('close', () => inside.destroy());
  inside.pipe(outside).pipe(inside);
}

/** A line to a server of this machine, or undefined when there is none. */
async function connectHere(port: number): Promise<net.Socket | undefined> {
  for (const host of LOOPBACK) {
    const socket = net.connect({ host, port, timeout: CONNECT_MS });
    const connected = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('timeout', () => resolve(false));
      socket.once('error', () => resolve(false));
    });
    if (connected) return socket.setTimeout(0);
    socket.destroy();
  }
  return undefined;
}
