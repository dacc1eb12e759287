import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

import type { Connection } from '../../src/platform/database/data-source.options.js';

/** How the proxy treats bytes between the service and its database. */
type Way = 'open' | 'silent' | 'refusing';

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
export async function aDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>();
  const pairs = new Set<readonly [Socket, Socket]>();
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
    } else if (way === 'open') {
      const upstream = keep(connectTo(new URL(databaseUrl)));
      const pair = [client, upstream] as const;
      pairs.add(pair);
      client.pipe(upstream).pipe(client);
      client.on('close', () => pairs.delete(pair) && upstream.destroy());
      upstream.on('close', () => client.destroy());
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
      if (next === 'silent') {
        pairs.forEach(silence);
        pairs.clear();
      } else if (next === 'refusing') {
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

/** Keeps both ends connected, but stops forwarding and hides that an end closes. */
function silence([client, upstream]: readonly [Socket, Socket]): void {
  client.unpipe(upstream);
  upstream.unpipe(client);
  client.removeAllListeners('close').resume();
  upstream.removeAllListeners('close').resume();
}
