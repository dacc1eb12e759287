import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

import { DataSource } from 'typeorm';

import { dataSourceOptions } from '../support/data-source-options.js';

/** The message with which a client of PostgreSQL asks for TLS. */
const SSL_REQUEST = Buffer.from('0000000804d2162f', 'hex');
const CERTIFICATE = 'test/fixtures/tls/database-cert.pem';
const OTHER_CERTIFICATE = 'test/fixtures/tls/cert.pem';

const pem = (name: string): string => readFileSync(`test/fixtures/tls/${name}.pem`, 'utf8');

/** A database server that records what clients send, encrypted or not, and then ends the connection. */
class RecordingDatabase {
  readonly encrypted: Buffer[] = [];
  readonly plain: Buffer[] = [];

  private constructor(
    private readonly server: Server,
    private readonly certificate: string | undefined,
  ) {}

  /** Starts a server with the certificate and the key of these names. Without a name, the server rejects TLS. */
  static async start(certificate?: string): Promise<RecordingDatabase> {
    const server = createServer();
    const database = new RecordingDatabase(server, certificate);
    server.on('connection', (socket) => {
      database.answer(socket);
    });
    server.listen(0, 'localhost');
    await once(server, 'listening');
    return database;
  }

  url(parameters: string): string {
    const { port } = this.server.address() as AddressInfo;
    return `postgres://satchel:secret@localhost:${port}/satchel?${parameters}`;
  }

  async stop(): Promise<void> {
    this.server.close();
    await once(this.server, 'close');
  }

  private answer(socket: Socket): void {
    socket.on('error', () => undefined);
    socket.once('data', (request) => {
      if (!request.equals(SSL_REQUEST)) {
        this.plain.push(request);
        socket.destroy();
      } else if (this.certificate === undefined) {
        socket.on('data', (more) => this.plain.push(more)).write('N');
      } else {
        socket.write('S');
        this.encrypt(socket, this.certificate);
      }
    });
  }

  private encrypt(socket: Socket, certificate: string): void {
    const key = certificate.replace('cert', 'key');
    new TLSSocket(socket, { isServer: true, cert: pem(certificate), key: pem(key) })
      .on('error', () => undefined)
      .once('data', (request: Buffer) => {
        this.encrypted.push(request);
        socket.destroy();
      });
  }
}

let database: RecordingDatabase;

/** Returns the text of the error with which a connection fails. */
async function failureOf(parameters: string): Promise<string> {
  const options = dataSourceOptions({ url: database.url(parameters) }, 1);
  return new DataSource(options).initialize().then(
    () => 'connected',
    (error: unknown) => String(error),
  );
}

describe('a database server with TLS', () => {
  afterEach(() => database.stop());

  it('receives the user name after it has proved its name', async () => {
    database = await RecordingDatabase.start('database-cert');

    await failureOf(`sslmode=verify-full&sslrootcert=${CERTIFICATE}`);

    expect(database.plain).toEqual([]);
    expect(Buffer.concat(database.encrypted).toString()).toContain('satchel');
  });

  it.each(['require', 'verify-full'])(
    'receives nothing with sslmode=%s if nobody vouches for its certificate',
    async (mode) => {
      database = await RecordingDatabase.start('database-cert');

      expect(await failureOf(`sslmode=${mode}`)).toContain('self-signed certificate');
      expect([...database.encrypted, ...database.plain]).toEqual([]);
    },
  );

  it('receives nothing if its certificate has another name', async () => {
    database = await RecordingDatabase.start('cert');

    expect(await failureOf(`sslmode=verify-full&sslrootcert=${OTHER_CERTIFICATE}`)).toContain(
      "does not match certificate's altnames",
    );
    expect([...database.encrypted, ...database.plain]).toEqual([]);
  });
});

describe('a database server without TLS', () => {
  afterEach(() => database.stop());

  it('receives nothing if sslmode requires TLS', async () => {
    database = await RecordingDatabase.start();

    expect(await failureOf('sslmode=verify-full')).toContain(
      'The server does not support SSL connections',
    );
    expect(database.plain).toEqual([]);
  });
});
