import { type AddressInfo, createServer, type Socket } from 'node:net';

import pg from 'pg';

import type { Connection } from '../../src/platform/database/data-source.options.js';

export interface Pooler {
  readonly connection: Connection & { readonly url: string };
  close(): Promise<void>;
}

type Mode = 'session' | 'transaction' | 'statement';

/** Accepted startup parameters. By default, PgBouncer rejects all others. */
const KNOWN = ['user', 'database', 'application_name', 'client_encoding'];
const IDLE = 'I'.charCodeAt(0);

/** A connection to the server, with raw access to its messages. */
interface Session {
  readonly stream: Socket;
  readonly client: pg.Client;
}

/**
 * A connection pooler that behaves like PgBouncer with default settings. It accepts known startup parameters. A client
 * gets the most recently used session for as long as the mode says.
 */
export async function aPooler(databaseUrl: string, mode: Mode): Promise<Pooler> {
  const sessions: Session[] = [];
  const idle: Session[] = [];
  const clients = new Set<Socket>();
  const take = async (): Promise<Session> => idle.pop() ?? opened();
  const opened = async (): Promise<Session> => {
    const client = new pg.Client({ connectionString: databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    const stream = client.connection.stream as Socket;
    stream.removeAllListeners('data');
    const session = { client, stream };
    sessions.push(session);
    stream.once('close', () => {
      idle.splice(0, idle.length, ...idle.filter((other) => other !== session));
    });
    return session;
  };
  const server = createServer((socket) => {
    clients.add(socket);
    socket.on('error', () => undefined);
    serve(socket, mode, {
      take,
      give: (session) => !session.stream.destroyed && idle.push(session),
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const address = Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${port}` });
  address.searchParams.delete('host');
  return {
    connection: { url: address.href },
    close: async () => {
      clients.forEach((client) => client.destroy());
      sessions.forEach(({ stream }) => stream.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Pool {
  take(): Promise<Session>;
  give(session: Session): unknown;
}

function serve(socket: Socket, mode: Mode, pool: Pool): void {
  let session: Promise<Session> | undefined;
  let asked = 0;
  /** Disconnects the client when its session is lost. */
  const cut = (): void => {
    socket.destroy();
  };
  const release = (): void => {
    void session?.then((one) => {
      one.stream.removeAllListeners('data').off('close', cut);
      pool.give(one);
    });
    session = undefined;
  };
  const hear = messages(1, (message) => {
    socket.write(message);
    const isReady = message[0] === 'Z'.charCodeAt(0);
    asked -= isReady ? 1 : 0;
    if (isReady && asked === 0 && message[5] === IDLE && mode !== 'session') {
      release();
    }
  });
  const ask = messages(1, (message) => {
    const type = String.fromCharCode(message[0]!);
    if (type === 'X') {
      socket.end();
      return;
    }
    if (mode === 'statement' && message.includes('START TRANSACTION')) {
      socket.end(refusal('transaction blocks not allowed in statement pooling mode'));
      return;
    }
    asked += 'QS'.includes(type) ? 1 : 0;
    session ??= pool.take().then((one) => {
      one.stream.on('data', hear).once('close', cut);
      return one;
    });
    void session.then(({ stream }) => stream.write(message));
  });
  socket.once('data', (startup) => {
    const unknown = parametersOf(startup).find((name) => !KNOWN.includes(name));
    if (unknown === undefined) {
      socket.on('data', ask).write(WELCOME);
    } else {
      socket.end(refusal(`unsupported startup parameter: ${unknown}`));
    }
  });
  socket.on('close', release);
}

/** Splits a stream into messages. Each message has `typeBytes` bytes for its type before its length. */
function messages(typeBytes: number, take: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= typeBytes + 4) {
      const length = typeBytes + rest.readInt32BE(typeBytes);
      if (rest.length < length) {
        return;
      }
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      take(message);
    }
  };
}

const parametersOf = (startup: Buffer): string[] =>
  startup
    .subarray(8)
    .toString()
    .split('\0')
    .filter((name, at) => at % 2 === 0 && name !== '');

function message(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(type), length, content]);
}

const WELCOME = Buffer.concat([
  message('R', Buffer.alloc(4)),
  message('K', Buffer.alloc(8, 7)),
  message('Z', Buffer.from('I')),
]);

const refusal = (text: string): Buffer =>
  message('E', Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${text}\0\0`));
