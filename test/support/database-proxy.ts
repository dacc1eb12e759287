import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

import type { Connection } from '../../src/platform/database/data-source.options.js';

/** What becomes of the bytes between the service and its database. */
type Way = 'open' | 'silent' | 'refusing';

/** Stands between the service and its database. */
export interface DatabaseProxy {
  readonly url: string;
  readonly connection: Connection;
  /** How many connections have been asked for. */
  readonly connections: number;
  readonly way: Way;
  /** What has gone silent says nothing any more, as with a host that has vanished, whatever becomes of later ones. */
  become(way: Way): void;
  close(): Promise<void>;
}

/** Passes everything on until it is told otherwise. */
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

/** The embedded server of the tests has a Unix socket alone. */
function connectTo({ hostname, port, searchParams }: URL): Socket {
  const directory = searchParams.get('host');
  return directory === null
    ? connect(Number(port || 5432), hostname)
    : connect(`${directory}/.s.PGSQL.${port || 5432}`);
}

/** Both ends stay connected, and neither hears of the other again. */
function silence([client, upstream]: readonly [Socket, Socket]): void {
  client.unpipe(upstream);
  upstream.unpipe(client);
  client.removeAllListeners('close').resume();
  upstream.removeAllListeners('close').resume();
}
