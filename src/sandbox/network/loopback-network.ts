import type { EgressRules } from '../../egress/check-target.ts';
import type { LocalProxy } from '../../egress/local-proxy.ts';
import { grantGate } from './grant-gate.ts';
import { grantProxyEnvironment, startGrantProxy } from './grant-proxy.ts';
import type { SessionNetwork } from './session-network.ts';

/**
 * The network of a session where the system has none to give away: commands share the loopback of this machine and may use of
 * it the granted ports and that of the session's proxy, which the sandbox lets through. The proxy starts with the first grant.
 */
export function loopbackNetwork({ rules }: { readonly rules: () => EgressRules }): SessionNetwork {
  let proxy: Promise<LocalProxy> | undefined;
  const gate = grantGate();
  return {
    async open(grants) {
      gate.set(grants);
      const own = gate.localPorts();
      const url = gate.leaves() ? (await (proxy ??= startGrantProxy({ rules: rules(), admits: gate.admits }))).url : undefined;
      return {
        enter: [],
        env: url === undefined ? {} : grantProxyEnvironment(url),
        ports: { listen: own, connect: [...own, ...(url === undefined ? [] : [Number(new URL(url).port)])] },
        refused: gate.mark(),
      };
    },
    // What a command listens on is a port of this machine, and reached as such.
    connect: () => Promise.resolve(undefined),
    async close() {
      const [started] = await Promise.allSettled([proxy]);
      if (started.status === 'fulfilled') await started.value?.close();
      proxy = undefined;
    },
  };
}
