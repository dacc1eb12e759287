import { Socket } from 'node:net';

import pg from 'pg';

const CONNECT_TIMEOUT_MS = 10_000;

/** The address of a database server, and the name of a database. */
export interface SessionAddress {
  readonly url?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly username?: string | undefined;
  readonly database?: string | undefined;
}

/** A single database connection outside the connection pool. */
export class Session {
  private readonly socket = new Socket();
  private readonly client: pg.Client;
  private isClosing = false;

  private constructor(connection: SessionAddress, name: string, onLost: (error?: Error) => void) {
    this.client = new pg.Client({
      connectionString: connection.url,
      host: connection.host,
      port: connection.port,
      user: connection.username,
      database: connection.database,
      application_name: name,
      // Disables SSL, because Unix sockets do not support SSL, but the variable PGSSLMODE could
      // enable it.
      ...(connection.url === undefined && { ssl: false }),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      stream: () => this.socket,
    });
    let reason: Error | undefined;
    this.client.on('error', (error) => {
      reason = error;
    });
    this.client.on('end', () => {
      if (!this.isClosing) {
        onLost(reason);
      }
    });
  }

  /** Connects to a database server. Calls `onLost` if the connection ends before `close` is called. */
  static async open(
    connection: SessionAddress,
    name: string,
    onLost: (error?: Error) => void = () => undefined,
  ): Promise<Session> {
    const session = new Session(connection, name, onLost);
    try {
      await session.client.connect();
    } catch (error) {
      session.isClosing = true;
      session.socket.destroy();
      throw error;
    }
    return session;
  }

  static async use<T>(
    connection: SessionAddress,
    work: (session: Session) => Promise<T>,
  ): Promise<T> {
    const session = await Session.open(connection, 'satchel-launcher');
    try {
      return await work(session);
    } finally {
      await session.close();
    }
  }

  /** Runs an SQL query and returns the first column of the first row. */
  async ask(sql: string, parameters: readonly unknown[] = []): Promise<unknown> {
    this.socket.ref();
    const { rows } = await this.client.query<unknown[]>({
      text: sql,
      values: [...parameters],
      rowMode: 'array',
    });
    return rows[0]?.[0];
  }

  /** Allows the process to end while this connection is open and idle. */
  rest(): void {
    this.socket.unref();
  }

  async close(): Promise<void> {
    this.isClosing = true;
    this.socket.ref();
    await this.client.end();
  }
}

/** Returns the code of a system or PostgreSQL error, such as ENOENT or 53300. */
export const errorCode = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
