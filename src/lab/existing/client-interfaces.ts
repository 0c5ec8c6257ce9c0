import { createSocket } from 'node:dgram';
import { networkInterfaces } from 'node:os';

const LIMIT_MS = 5_000;

/**
 * Network interfaces of this machine over which brokers are reached, by the routes of the kernel: nothing is sent. A broker
 * whose name is not known here adds none.
 *
 * @param bootstrapServers `b1:9092,[::1]:9092`.
 */
export async function interfacesTowards(bootstrapServers: string): Promise<readonly string[]> {
  const hosts = bootstrapServers.split(',').map((one) => /^\[?(.*?)\]?:\d+$/.exec(one)?.[1] ?? one);
  const own = await Promise.all([...new Set(hosts)].map(addressTowards));
  const found = Object.entries(networkInterfaces()).flatMap(([name, addresses]) =>
    (addresses ?? []).some(({ address }) => own.includes(address)) ? [name] : [],
  );
  return [...new Set(found)].toSorted();
}

/** The address of ours from which a packet to that host would go; null = no route, or no such name. */
function addressTowards(host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    const end = (address: string | null): void => {
      clearTimeout(timer);
      socket.removeAllListeners();
      socket.on('error', () => undefined);
      try {
        socket.close();
      } catch {
        // it was never opened
      }
      resolve(address);
    };
    const timer = setTimeout(() => end(null), LIMIT_MS);
    socket.on('error', () => end(null));
    // Connecting a datagram socket only asks for the route.
    socket.connect(9, host, () => end(socket.address().address));
  });
}
