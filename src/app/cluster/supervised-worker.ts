import cluster, { type Worker } from 'node:cluster';

import { reasonOf } from '../../lib/util/reason.js';
import {
  type Assignment,
  type FromWorker,
  isFromWorker,
  type PageAnswer,
  type PageCall,
  type Ready,
  type ToWorker,
} from './messages.js';

/** The pause before a worker that has ended begins anew: doubled each time, until one has lived for a while. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
const LIVED_MS = 60_000;
const PING_EVERY_MS = 10_000;
/** So many pings without an answer: even a machine that is busy with much else gives a process its turn by then. */
const MOST_UNANSWERED = 12;

/** How a process of a worker has ended. */
export interface WorkerEnd {
  readonly reason: string;
  /** It was never ready. */
  readonly isFailedStart: boolean;
  /** Of the last ones and this: none came after it was ready and had lived for a while. */
  readonly endsInARow: number;
  readonly restartsInMs: number;
}

/** What the one who watches over a worker hears of it. */
interface WorkerListener {
  received(worker: SupervisedWorker, message: Ready | PageCall | PageAnswer): void;
  ended(worker: SupervisedWorker, end: WorkerEnd): void;
}

/** A worker with a name, whose process is started again whenever it ends; one that says nothing any more is ended. */
export class SupervisedWorker {
  isReady = false;
  /** Its process has told that it listens; Node does not keep what is sent to it before. */
  private hears = false;
  private worker: Worker | undefined;
  private startedAtMs = 0;
  private pauseMs = FIRST_PAUSE_MS;
  private endsInARow = 0;
  private restarting: NodeJS.Timeout | undefined;
  private pinging: NodeJS.Timeout | undefined;
  /** Pings since it was heard last. */
  private unanswered = 0;
  private failure: string | undefined;
  private isStopping = false;

  constructor(
    readonly name: string,
    private readonly assignment: () => Assignment,
    private readonly listener: WorkerListener,
  ) {}

  /** Of its present process in the cluster. */
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
      // Too little memory for another process, which may pass: the others go on.
      this.end(reasonOf(error));
    }
  }

  /** False when there is no process that hears it. */
  send(message: ToWorker): boolean {
    const { worker, hears } = this;
    if (!hears || worker?.isConnected() !== true) {
      return false;
    }
    worker.send(message, () => undefined);
    return true;
  }

  /** Asks its process to end, and ends it when the time is up. */
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

  /** Pings are counted, not seconds: after a rest of the whole machine no worker has been silent. */
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
      // A process that could not be made has no exit; other errors are of its channel, and it ends.
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
 * Node hands connections to a worker one at a time, and keeps one open for ever that the worker did not live to take: its
 * client would wait for an answer that never comes.
 */
function endLostConnection({ process: child }: Worker): void {
  const send = child.send.bind(child);
  let last: Connection | undefined;
  child.send = (...sent: unknown[]): boolean => {
    last = sent.find(isConnection) ?? last;
    return Boolean(Reflect.apply(send, child, sent));
  };
  // What the worker has taken is closed here already.
  child.once('exit', () => last?.close());
}

interface Connection {
  close(): void;
}

const isConnection = (sent: unknown): sent is Connection =>
  typeof sent === 'object' && sent !== null && 'close' in sent;
