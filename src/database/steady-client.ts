import { Socket } from 'node:net';

import pg from 'pg';

import { NoConnectionError, SilentDatabaseError } from './database.errors.js';

export interface SteadyClientConfig extends pg.ClientConfig {
  /** How long the database may send nothing while an answer is due; no limit by default. */
  readonly answerTimeoutMillis?: number;
}

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/**
 * A connection that may end at any moment, or fall silent. Between the pool that hands it out and TypeORM that takes
 * it nobody listens, and an error event without a listener ends the process; whoever queries is told by the query
 * itself. A connection that is silent for too long is destroyed: the `query_timeout` of pg counts from the call, also
 * while earlier statements run, and leaves a silent connection in the pool.
 */
export class SteadyClient extends pg.Client {
  private readonly limitMs: number;
  private longerMs: number | undefined;
  /** What had been written when the last answer came. */
  private bytesAnswered = 0;

  constructor(config: SteadyClientConfig = {}) {
    super(config);
    this.limitMs = config.answerTimeoutMillis ?? 0;
    this.on('error', () => undefined);
    this.once('connect', () => {
      this.watch();
    });
    this.on('drain', () => {
      this.answered();
    });
  }

  /** The error tells that it is the database's: a file or another server may fail with the same code. */
  override connect(): Promise<pg.Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    if (callback === undefined) {
      return super.connect().catch((cause: unknown) => {
        throw new NoConnectionError(cause);
      });
    }
    super.connect((cause: Error | null) => {
      const error = cause && new NoConnectionError(cause);
      Reflect.apply(callback, undefined, [error, this]);
    });
    return undefined;
  }

  /** Until the transaction ends, an answer may take that long. */
  waitLonger(limitMs: number): void {
    if (this.limitMs > 0) {
      this.longerMs = limitMs;
      this.socket?.setTimeout(limitMs);
    }
  }

  private get socket(): Socket | undefined {
    const { stream } = this.connection;
    return stream instanceof Socket ? stream : undefined;
  }

  private watch(): void {
    const { socket } = this;
    socket?.setTimeout(this.limitMs);
    socket?.on('timeout', () => {
      const { bytesRead } = socket;
      // What came while this process was busy is read first.
      setImmediate(() => {
        if (socket.bytesRead === bytesRead && socket.bytesWritten > this.bytesAnswered) {
          socket.destroy(new SilentDatabaseError());
        }
      });
    });
  }

  private answered(): void {
    this.bytesAnswered = this.socket?.bytesWritten ?? 0;
    if (this.longerMs !== undefined && this.getTransactionStatus() === 'I') {
      this.longerMs = undefined;
      this.socket?.setTimeout(this.limitMs);
    }
  }
}
