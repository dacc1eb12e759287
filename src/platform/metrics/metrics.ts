import type { MetricObjectWithValues, MetricValue } from 'prom-client';

import type { EndedRequest } from '../common/request-log.js';

/** The metrics of one process, as messages between processes contain them. */
export type Figures = readonly MetricObjectWithValues<MetricValue<string>>[];

/** The metrics in the text format of Prometheus. */
export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

/** The metrics of the service. They are on if METRICS_PORT or METRICS_TOKEN is set. */
export abstract class Metrics {
  /** Counts a request and its duration. Undefined if metrics are off. */
  abstract readonly observe: ((request: EndedRequest) => void) | undefined;

  /** Returns the metrics of this process. */
  abstract figures(): Promise<Figures>;

  /** Returns the metrics of all processes of the service. Calls at the same time share one result. */
  abstract expose(): Promise<Exposition>;
}

const NOTHING: Exposition = { contentType: 'text/plain', text: '' };

/** The metrics of a service without METRICS_PORT and METRICS_TOKEN. */
export class NoMetrics extends Metrics {
  override readonly observe = undefined;

  override figures(): Promise<Figures> {
    return Promise.resolve([]);
  }

  override expose(): Promise<Exposition> {
    return Promise.resolve(NOTHING);
  }
}
