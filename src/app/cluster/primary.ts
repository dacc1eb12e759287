import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:net';

import { Logger } from '@nestjs/common';

import { availableCores } from '../../lib/util/available-cores.js';
import { workerFile } from '../../lib/util/worker-file.js';
import type { Config } from '../../platform/config/config.js';
import {
  connectionsOf,
  type DatabaseServer,
  serverFacts,
} from '../../platform/database/database-server.js';
import type { ClusterMetrics } from './cluster-metrics.js';
import type { MetricsMessage, Ready, Role, WorkerMessage } from './messages.js';
import { SupervisedWorker, type WorkerEnd } from './supervised-worker.js';

const PROGRAM = new URL('./worker.process.js', import.meta.url);
/** The name of the primary process in the log and the metrics. */
export const PRIMARY = 'primary';
/**
 * The number of failed starts per web worker after which the service stops. The failed starts of
 * all web workers are added up. The sum is reset when a web worker becomes ready.
 */
const MOST_FAILED_STARTS = 5;
/**
 * If a worker's process has ended early this many times in a row, the end is logged as an error
 * instead of a warning.
 */
const MANY_ENDS = 5;
/**
 * The service kills a worker that is still running after the shutdown timeout multiplied by this
 * factor.
 */
const STUCK_AFTER = 1.5;

/**
 * The worker processes of the service. Several web workers answer requests on the same port. One background worker does
 * all other work.
 */
export class WorkerGroup {
  private readonly logger = new Logger(WorkerGroup.name);
  private readonly web: readonly SupervisedWorker[];
  private readonly background: SupervisedWorker;
  private isMigrated = false;
  private failedStarts = 0;
  private hasStarted = false;
  private ready: Ready = { kind: 'ready' };
  private metrics: ClusterMetrics | undefined;
  private settle: { resolve(ready: Ready): void; reject(error: Error): void } | undefined;

  constructor(
    private readonly config: Config,
    private readonly server: DatabaseServer,
    private readonly onFailure: (error: Error) => void,
  ) {
    this.logger.log({ ...databaseFacts(server), msg: 'database' });
    this.logger.log({ workers: config.workers, cores: availableCores(), msg: 'workers' });
    this.web = Array.from({ length: config.workers }, (_, n) => this.worker('web', `web ${n + 1}`));
    this.background = this.worker('background', 'background');
  }

  /**
   * Starts all workers. Resolves when all workers are ready.
   *
   * @throws Error if a worker cannot start; the message contains the reason of the first worker that failed
   */
  async start(): Promise<Ready> {
    if (!cluster.isPrimary) {
      throw new Error('SATCHEL_WORKERS is for a service that is not itself a worker of a cluster');
    }
    await requireFreePort(this.config);
    cluster.setupPrimary({ exec: workerFile(PROGRAM), args: [] });
    return new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
      this.all.forEach((worker) => {
        worker.start();
      });
    });
  }

  /** Prepares the metrics of all processes, and returns them. Called before the workers start. */
  async measure(): Promise<ClusterMetrics> {
    const { ClusterMetrics: Metrics } = await import('./cluster-metrics.js');
    this.metrics = new Metrics({ name: PRIMARY, workers: this.all });
    return this.metrics;
  }

  /** Informs all workers that the schema is up to date, so that they open the database. */
  async migrated(): Promise<void> {
    this.isMigrated = true;
    this.all.forEach((worker) => worker.send({ kind: 'migrated' }));
    await this.warnOfConnections().catch((error: unknown) => {
      // Only logs the error. A thrown error would make the start call `migrated` again, but workers
      // cannot open the database twice.
      this.logger.warn(error);
    });
  }

  /**
   * Stops all workers. Each worker first answers the requests that have already arrived. Kills workers that take too
   * long.
   */
  async stop(): Promise<void> {
    const limitMs = this.config.shutdownTimeoutSeconds * 1000 * STUCK_AFTER;
    await Promise.all(this.all.map((worker) => worker.stop(limitMs)));
  }

  private async warnOfConnections(): Promise<void> {
    const { connection } = this.server;
    // A pooler has its own limit for connections to the database server, so this check does not
    // apply.
    if (connection.pooler !== undefined) {
      return;
    }
    const { connections } = await serverFacts(connection);
    const wanted = connectionsOf(this.config);
    if (wanted > connections) {
      this.logger.warn(
        `the workers may open ${wanted} connections, and the database server allows ${connections}:` +
          ' lower DATABASE_POOL_SIZE or SATCHEL_WORKERS, or raise max_connections',
      );
    }
  }

  private get all(): readonly SupervisedWorker[] {
    return [...this.web, this.background];
  }

  private worker(role: Role, name: string): SupervisedWorker {
    const { connection, isEmbedded } = this.server;
    const { fileSecrets } = this.config;
    return new SupervisedWorker(
      name,
      () => ({
        kind: 'assignment',
        role,
        name,
        connection,
        fileSecrets,
        isEmbedded,
        isMigrated: this.isMigrated,
      }),
      {
        received: (worker, message) => {
          this.receive(worker, message);
        },
        ended: (worker, end) => {
          this.ended(worker, end);
        },
      },
    );
  }

  private receive(worker: SupervisedWorker, message: WorkerMessage): void {
    switch (message.kind) {
      case 'ready':
        this.noteReady(worker, message);
        break;
      case 'page':
        if (!this.background.send(message)) {
          worker.send({ ...message, kind: 'page-answer', outcome: 'notWritten' });
        }
        break;
      case 'page-answer':
        this.web.find(({ id }) => id === message.from)?.send(message);
        break;
      default:
        this.receiveOfMetrics(worker, message);
    }
  }

  private receiveOfMetrics(worker: SupervisedWorker, message: MetricsMessage): void {
    if (message.kind === 'figures') {
      this.metrics?.received(worker, message);
    } else {
      this.expose(worker, message.call).catch((error: unknown) => {
        this.logger.error(error);
      });
    }
  }

  private async expose(worker: SupervisedWorker, call: number): Promise<void> {
    const exposition = await this.metrics?.expose();
    if (exposition !== undefined) {
      worker.send({ kind: 'exposition', call, exposition });
    }
  }

  private noteReady(worker: SupervisedWorker, ready: Ready): void {
    this.logger.log({ worker: worker.name, pid: worker.pid, msg: 'worker ready' });
    this.failedStarts = worker === this.background ? this.failedStarts : 0;
    this.ready = { ...this.ready, ...ready };
    if (!this.hasStarted && this.all.every(({ isReady }) => isReady)) {
      this.hasStarted = true;
      this.settle?.resolve(this.ready);
    }
  }

  private ended(worker: SupervisedWorker, end: WorkerEnd): void {
    this.metrics?.noteEnd(worker);
    const { reason, isFailedStart } = end;
    if (!this.hasStarted) {
      this.settle?.reject(new Error(reason));
      return;
    }
    this.tellEnd(worker, end);
    const serves = this.web.some(({ isReady }) => isReady);
    const isOfWeb = worker !== this.background;
    this.failedStarts = serves ? 0 : this.failedStarts + (isOfWeb && isFailedStart ? 1 : 0);
    if (this.failedStarts >= MOST_FAILED_STARTS * this.web.length) {
      this.onFailure(new Error(`no worker starts any more: ${reason}`));
    }
  }

  private tellEnd(
    { name }: SupervisedWorker,
    { reason, endsInARow, restartsInMs }: WorkerEnd,
  ): void {
    const facts = { worker: name, reason, restartsInMs };
    if (endsInARow >= MANY_ENDS) {
      this.logger.error({ ...facts, endsInARow, msg: 'worker ends again and again' });
    } else {
      this.logger.warn({ ...facts, msg: 'worker ended' });
    }
  }
}

/**
 * Checks once in the primary process that the port is free. Without this check, each web worker would report the same
 * error.
 *
 * @throws Error if the port is in use.
 */
async function requireFreePort({ port, host }: Config): Promise<void> {
  const probe = createServer().listen(port, host);
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}

const databaseFacts = ({ isEmbedded, directory }: DatabaseServer): object => ({
  embedded: isEmbedded,
  directory,
});
