import cluster, { type Worker } from 'node:cluster';

import { reasonOf } from '../../lib/util/reason.js';
import {
  type Assignment,
  type FromWorker,
  isFromWorker,
  type ToWorker,
  type WorkerMessage,
} from './messages.js';

/**
 * The pause before the first restart of a worker. The pause doubles with each restart, up to `LONGEST_PAUSE_MS`. After
 * a process has run for `LIVED_MS`, the pause is `FIRST_PAUSE_MS` again.
 */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
const LIVED_MS = 60_000;
const PING_EVERY_MS = 10_000;
/**
 * A process is killed if it has not answered this number of pings. A process that works answers much earlier, even on a
 * busy machine.
 */
const MOST_UNANSWERED = 12;

/** Describes how the process of a worker ended. */
export interface WorkerEnd {
  readonly reason: string;
  /** True if the process ended before it was ready. */
  readonly isFailedStart: boolean;
  /**
   * The number of times in a row that the worker's process has ended early: before it was ready, or
   * before it had run for `LIVED_MS`.
   */
  readonly endsInARow: number;
  readonly restartsInMs: number;
}

/** Receives the messages of a worker, and is called each time a process of the worker ends. */
interface WorkerListener {
  received(worker: SupervisedWorker, message: WorkerMessage): void;
  ended(worker: SupervisedWorker, end: WorkerEnd): void;
}

/** A worker whose process is restarted when it ends, and is killed when it stops answering pings. */
export class SupervisedWorker {
  isReady = false;
  /** True if the process has sent `hello`. Node drops messages that are sent to a process before it has loaded. */
  private hears = false;
  private worker: Worker | undefined;
  private startedAtMs = 0;
  private pauseMs = FIRST_PAUSE_MS;
  private endsInARow = 0;
  private restarting: NodeJS.Timeout | undefined;
  private pinging: NodeJS.Timeout | undefined;
  /** The number of pings since the last message from the process. */
  private unanswered = 0;
  private failure: string | undefined;
  private isStopping = false;

  constructor(
    readonly name: string,
    private readonly assignment: () => Assignment,
    private readonly listener: WorkerListener,
  ) {}

  /** The id that Node's cluster module has assigned to the current process of the worker. */
  get id(): number | undefined {
    return this.worker?.id;
  }

  get pid(): number | undefined {
    return this.worker?.process.pid;
  }

  start(): void {
    this.failure = undefined;
    this.startedAtMs = performance.now();
    try {
      this.worker = cluster.fork();
      this.watch(this.worker);
      this.unanswered = 0;
      this.pinging = setInterval(() => {
        this.ping();
      }, PING_EVERY_MS);
    } catch (error) {
      // `fork` throws an error if the system has too little memory for another process. This error
      // may be temporary, so the other workers keep running.
      this.end(reasonOf(error));
    }
  }

  /** Sends a message to the process. Returns false if no process can receive the message. */
  send(message: ToWorker): boolean {
    const { worker, hears } = this;
    if (!hears || worker?.isConnected() !== true) {
      return false;
    }
    worker.send(message, () => undefined);
    return true;
  }

  /** Asks the process to stop, and kills the process after `limitMs`. */
  async stop(limitMs: number): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.restarting);
    const { worker } = this;
    if (worker === undefined) {
      return;
    }
    const timeUp = setTimeout(() => worker.process.kill('SIGKILL'), limitMs);
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    if (!this.send({ kind: 'stop' })) {
      worker.process.kill('SIGKILL');
    }
    await ended;
    clearTimeout(timeUp);
  }

  /**
   * Sends a ping, or kills the process after too many unanswered pings. Counts pings instead of
   * time, because no pings are sent while the whole machine sleeps.
   */
  private ping(): void {
    this.unanswered += 1;
    if (this.unanswered > MOST_UNANSWERED) {
      this.failure = `was silent for ${(MOST_UNANSWERED * PING_EVERY_MS) / 1000} s`;
      this.worker?.process.kill('SIGKILL');
    } else {
      this.send({ kind: 'ping' });
    }
  }

  private watch(worker: Worker): void {
    worker.on('message', (message: unknown) => {
      if (isFromWorker(message)) {
        this.receive(message);
      }
    });
    worker.on('error', (error) => {
      // An error without a process id means that the process could not be created. In this case, no
      // `exit` event follows.
      if (worker.process.pid === undefined) {
        this.end(error.message);
      }
    });
    worker.once('exit', (code, signal) => {
      this.end(this.failure ?? (signal ? `ended by ${signal}` : `ended with status ${code}`));
    });
    if (worker.process.pid !== undefined) {
      endLostConnection(worker);
    }
  }

  private receive(message: FromWorker): void {
    this.unanswered = 0;
    switch (message.kind) {
      case 'pong':
        break;
      case 'hello':
        this.hears = true;
        this.send(this.assignment());
        break;
      case 'failed':
        this.failure = message.reason;
        break;
      case 'ready':
        this.isReady = true;
        this.listener.received(this, message);
        break;
      default:
        this.listener.received(this, message);
    }
  }

  private end(reason: string): void {
    const isFailedStart = !this.isReady;
    clearInterval(this.pinging);
    this.worker = undefined;
    this.hears = false;
    this.isReady = false;
    if (this.isStopping) {
      return;
    }
    const hasLived = performance.now() - this.startedAtMs > LIVED_MS;
    const restartsInMs = hasLived ? FIRST_PAUSE_MS : this.pauseMs;
    this.pauseMs = Math.min(restartsInMs * 2, LONGEST_PAUSE_MS);
    this.endsInARow = hasLived && !isFailedStart ? 0 : this.endsInARow + 1;
    this.restarting = setTimeout(() => {
      this.start();
    }, restartsInMs);
    const { endsInARow } = this;
    this.listener.ended(this, { reason, isFailedStart, endsInARow, restartsInMs });
  }
}

/**
 * Closes the last connection that was passed to a worker, if the worker's process ended before it
 * accepted the connection. Without this call, Node would keep the connection open, and the client
 * would wait forever.
 */
function endLostConnection({ process: child }: Worker): void {
  const send = child.send.bind(child);
  let last: Connection | undefined;
  child.send = (...sent: unknown[]): boolean => {
    last = sent.find(isConnection) ?? last;
    return Boolean(Reflect.apply(send, child, sent));
  };
  // `close` is a no-op if the worker has accepted the connection, because Node has then already
  // closed the connection's handle in this process.
  child.once('exit', () => last?.close());
}

interface Connection {
  close(): void;
}

const isConnection = (sent: unknown): sent is Connection =>
  typeof sent === 'object' && sent !== null && 'close' in sent;
