import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, Logger, Module } from '@nestjs/common';

import { Database } from '../../platform/database/database.js';
import { queryRows } from '../../platform/database/query-rows.js';
import type { QueueState, QueueStatement } from '../../platform/jobs/queue-state.js';
import { Metric, type Sample } from '../../platform/metrics/metric.js';
import { QUEUES } from './queues.sql.js';

/** The time in milliseconds for which the states are reused, so that many scrapes cost no more than one. */
const REUSED_MS = 10_000;
/** The time in milliseconds for which a scrape waits for the database. After that, it gets the last known states. */
const PATIENCE_MS = 1000;
/** Older states are not shown. */
const KNOWN_MS = 5 * 60_000;

type States = readonly (QueueState & Pick<QueueStatement, 'queue'>)[];

/**
 * Measures the queues in the database. One statement runs after the other, so the metrics use at most one connection of
 * the pool. If the database is slow, a scrape gets the last known states. A queue whose statement fails has no samples.
 */
@Injectable()
export class QueueMetrics {
  private readonly logger = new Logger(QueueMetrics.name);
  private reading: Promise<States> | undefined;
  private known: { readonly states: States; readonly atMs: number } | undefined;

  constructor(private readonly database: Database) {}

  @Metric({
    name: 'satchel_queue_depth',
    help: 'Entries of a queue that can be processed now, counted up to 100,000.',
    kind: 'gauge',
    labels: ['queue'],
  })
  async depths(): Promise<readonly Sample[]> {
    const states = await this.states();
    return states.map(({ queue, depth }) => ({ labels: { queue }, value: depth }));
  }

  @Metric({
    name: 'satchel_queue_oldest_seconds',
    help: 'Time since the oldest entry of a queue could be processed. 0 if the queue is empty.',
    kind: 'gauge',
    labels: ['queue'],
  })
  async ages(): Promise<readonly Sample[]> {
    const states = await this.states();
    return states.flatMap(({ queue, depth, oldestSeconds }) =>
      oldestSeconds === null && depth > 0
        ? []
        : [{ labels: { queue }, value: Math.max(0, oldestSeconds ?? 0) }],
    );
  }

  private async states(): Promise<States> {
    this.reading ??= this.read().finally(() => {
      setTimeout(() => (this.reading = undefined), REUSED_MS).unref();
    });
    const states = await Promise.race([
      this.reading,
      pause(PATIENCE_MS, undefined, { ref: false }),
    ]);
    return states ?? this.lastKnown();
  }

  private lastKnown(): States {
    const { states = [], atMs = 0 } = this.known ?? {};
    return performance.now() - atMs < KNOWN_MS ? states : [];
  }

  private async read(): Promise<States> {
    const states: (QueueState & Pick<QueueStatement, 'queue'>)[] = [];
    for (const { queue, text } of QUEUES) {
      const state = await this.stateOf(text);
      states.push(...(state === undefined ? [] : [{ queue, ...state }]));
    }
    this.known = { states, atMs: performance.now() };
    return states;
  }

  private async stateOf(text: string): Promise<QueueState | undefined> {
    try {
      const [state] = await queryRows<QueueState>(this.database.manager, text);
      return state;
    } catch (error) {
      this.logger.debug(error);
      return undefined;
    }
  }
}

/** Measures the queues. Only the process that does the background work imports it, so that each queue counts once. */
@Module({ providers: [QueueMetrics] })
export class QueueMetricsModule {}
