import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

import type { Connection } from '../../src/platform/database/data-source.options.js';

/**
 * How the proxy treats bytes between the service and its database. `slow`: each piece arrives later. `cutting`: each
 * connection ends after some bytes, in the middle of a message.
 */
type Way = 'open' | 'silent' | 'refusing' | 'slow' | 'cutting';

interface Roughness {
  /** The delay of a piece while the proxy is slow, in milliseconds. */
  readonly delayMs?: () => number;
  /** The bytes that a connection still passes when the proxy begins to cut, or when it opens meanwhile. */
  readonly bytesUntilCut?: () => number;
}

/** A proxy between the service and its database. */
export interface DatabaseProxy {
  readonly url: string;
  readonly connection: Connection;
  /** Number of connections opened so far. */
  readonly connections: number;
  readonly way: Way;
  /** Switches the mode. Connections that became silent stay silent, as if the host had vanished. */
  become(way: Way): void;
  close(): Promise<void>;
}

/** Starts the proxy in the mode `open`. */
export async function aDatabaseProxy(
  databaseUrl: string,
  { delayMs = () => 100, bytesUntilCut = () => 100 }: Roughness = {},
): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>();
  const pairs = new Set<Pair>();
  let way: Way = 'open';
  let connections = 0;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    connections += 1;
    keep(client);
    if (way === 'refusing') {
      client.destroy();
    } else if (way !== 'silent') {
      const upstream = keep(connectTo(new URL(databaseUrl)));
      const pair = new Pair(client, upstream, () => (way === 'slow' ? delayMs() : 0));
      pair.bytesLeft = way === 'cutting' ? bytesUntilCut() : Infinity;
      pairs.add(pair);
      client.on('close', () => pairs.delete(pair));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const address = Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${port}` });
  address.searchParams.delete('host');
  const url = address.href;
  return {
    url,
    connection: { url },
    get connections() {
      return connections;
    },
    get way() {
      return way;
    },
    become: (next) => {
      way = next;
      pairs.forEach((pair) => {
        pair.isSilent ||= next === 'silent';
        pair.bytesLeft = next === 'cutting' ? bytesUntilCut() : Infinity;
      });
      if (next === 'refusing') {
        sockets.forEach((socket) => socket.destroy());
      }
    },
    close: () => {
      sockets.forEach((socket) => socket.destroy());
      return new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      });
    },
  };
}

/** The embedded server of the tests only listens on a Unix socket. */
function connectTo({ hostname, port, searchParams }: URL): Socket {
  const directory = searchParams.get('host');
  return directory === null
    ? connect(Number(port || 5432), hostname)
    : connect(`${directory}/.s.PGSQL.${port || 5432}`);
}

/** A connection of the service, and the one behind it to the database. */
class Pair {
  /** Keeps both ends connected, but forwards nothing and hides that an end closes. */
  isSilent = false;
  /** The bytes in both directions after which both ends are cut. */
  bytesLeft = Infinity;

  constructor(
    client: Socket,
    upstream: Socket,
    private readonly delayMs: () => number,
  ) {
    this.relay(client, upstream);
    this.relay(upstream, client);
  }

  private relay(from: Socket, to: Socket): void {
    from.on('close', () => {
      if (!this.isSilent) {
        to.destroy();
      }
    });
    from.on('end', () => {
      if (!this.isSilent) {
        to.end();
      }
    });
    from.on('data', (bytes: Buffer) => {
      if (this.isSilent) {
        return;
      }
      from.pause();
      const ms = this.delayMs();
      if (ms === 0) {
        this.pass(bytes, from, to);
      } else {
        setTimeout(() => {
          this.pass(bytes, from, to);
        }, ms);
      }
    });
  }

  private pass(bytes: Buffer, from: Socket, to: Socket): void {
    const passed = bytes.subarray(0, this.bytesLeft);
    this.bytesLeft -= passed.length;
    to.write(passed, () => {
      if (this.bytesLeft <= 0) {
        from.destroy();
        to.destroy();
      } else {
        from.resume();
      }
    });
  }
}
