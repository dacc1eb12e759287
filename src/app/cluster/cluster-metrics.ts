import { setTimeout as pause } from 'node:timers/promises';

import type { MetricSource } from '../../platform/metrics/metric.js';
import type { Exposition, Figures } from '../../platform/metrics/metrics.js';
import { exposed, PrometheusMetrics, sumOf } from '../../platform/metrics/prometheus.js';
import { Tally } from '../../platform/metrics/tally.js';
import type { FiguresAnswer, ToWorker } from './messages.js';

/** The time in milliseconds for which a scrape waits for a worker. A worker that is blocked does not delay it longer. */
const PATIENCE_MS = 2000;

/** A worker that can be asked for its metrics. */
interface MeasuredWorker {
  readonly name: string;
  readonly isReady: boolean;
  send(message: ToWorker): boolean;
}

interface ClusterMetricsOptions {
  /** The name of the primary process. */
  readonly name: string;
  readonly workers: readonly MeasuredWorker[];
  readonly patienceMs?: number;
}

/**
 * Adds up the metrics of the workers and of the primary process. Keeps the counters of processes that have ended,
 * because a sum that decreases would look like a restart of the whole service. This file is imported only if metrics
 * are on.
 */
export class ClusterMetrics {
  private readonly own: PrometheusMetrics;
  private readonly workers: readonly MeasuredWorker[];
  private readonly patienceMs: number;
  /** The latest metrics of each running process, by the name of the worker. */
  private readonly latest = new Map<string, Figures>();
  /** The counters of the processes that have ended. */
  private ended: Promise<Figures> = Promise.resolve([]);
  private readonly waiting = new Map<number, () => void>();
  private readonly answered = new Map<string, boolean>();
  private readonly restarts: Tally;
  private calls = 0;

  constructor({ name, workers, patienceMs = PATIENCE_MS }: ClusterMetricsOptions) {
    this.workers = workers;
    this.patienceMs = patienceMs;
    this.restarts = new Tally(workers.map((worker) => worker.name));
    this.own = new PrometheusMetrics({
      processName: name,
      sources: () => this.sources(),
      exposeAll: () => this.collect(),
    });
  }

  /** Returns the metrics of all processes. A worker that does not answer in time contributes its latest metrics. */
  expose(): Promise<Exposition> {
    return this.own.expose();
  }

  /** Notes the metrics that a worker has sent. */
  received({ name }: Pick<MeasuredWorker, 'name'>, { call, figures }: FiguresAnswer): void {
    this.latest.set(name, figures);
    this.waiting.get(call)?.();
  }

  /** Notes that the process of a worker has ended and will be started again. */
  noteEnd({ name }: Pick<MeasuredWorker, 'name'>): void {
    const figures = this.latest.get(name) ?? [];
    this.latest.delete(name);
    this.restarts.add(name);
    const counted = figures.filter(({ type }) => COUNTED.has(String(type)));
    this.ended = this.ended.then((before) => sumOf([before, counted]));
  }

  private async collect(): Promise<Exposition> {
    await Promise.all(this.workers.map((worker) => this.ask(worker)));
    const own = await this.own.figures();
    return exposed([own, await this.ended, ...this.latest.values()]);
  }

  private async ask(worker: MeasuredWorker): Promise<void> {
    this.calls += 1;
    const call = this.calls;
    this.answered.set(worker.name, false);
    const answer = new Promise<void>((resolve) => {
      this.waiting.set(call, () => {
        this.answered.set(worker.name, true);
        resolve();
      });
    });
    if (worker.send({ kind: 'measure', call })) {
      await Promise.race([answer, pause(this.patienceMs, undefined, { ref: false })]);
    }
    this.waiting.delete(call);
  }

  private sources(): MetricSource[] {
    return [
      {
        name: 'satchel_process_up',
        help: '1 if the worker process is ready and answers, else 0.',
        kind: 'gauge',
        labels: ['process'],
        read: () =>
          this.workers.map(({ name, isReady }) => ({
            labels: { process: name },
            value: Number(isReady && this.answered.get(name) === true),
          })),
      },
      {
        name: 'satchel_process_restarts_total',
        help: 'Restarts of the worker process.',
        kind: 'counter',
        labels: ['process'],
        read: () => this.restarts.samples('process'),
      },
    ];
  }
}

/** The types of metrics that only increase. prom-client names them in lower case. */
const COUNTED: ReadonlySet<string> = new Set(['counter', 'histogram']);
