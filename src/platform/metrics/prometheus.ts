import { Logger } from '@nestjs/common';
import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  type CounterConfiguration,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  Registry,
} from 'prom-client';

import type { EndedRequest } from '../common/request-log.js';
import type { MetricSource, Sample, Samples } from './metric.js';
import { type Exposition, type Figures, Metrics } from './metrics.js';

/** The upper limits of the buckets for durations of requests, in seconds. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The label with the name of the process. */
const PROCESS = 'process';

/** The name of the process of a service without workers. */
const ONLY_PROCESS = 'main';

interface PrometheusOptions {
  /** The name of this process, if the service has several processes. */
  readonly processName?: string | undefined;
  /** Returns the sources of metrics. It is called at the first scrape. */
  readonly sources: () => readonly MetricSource[];
  /** Returns the metrics of all processes. The default is those of this process. */
  readonly exposeAll?: (() => Promise<Exposition>) | undefined;
}

/** The metrics of a process. This file is imported only if metrics are on, because it loads prom-client. */
export class PrometheusMetrics extends Metrics {
  private readonly logger = new Logger(PrometheusMetrics.name);
  private readonly registry = new Registry();
  private readonly processName: string;
  private readonly durations: Histogram<'method' | 'route'>;
  private readonly requests: Counter<'method' | 'route' | 'status'>;
  private readonly errors: Counter<'code'>;
  private readonly warned = new Set<string>();
  private exposing: Promise<Exposition> | undefined;
  private hasSources = false;

  constructor(private readonly options: PrometheusOptions) {
    super();
    const registers = [this.registry];
    this.processName = options.processName ?? ONLY_PROCESS;
    collectDefaultMetrics({ register: this.registry, labels: { [PROCESS]: this.processName } });
    this.requests = new Counter({
      name: 'satchel_http_requests_total',
      help: 'Answered requests by route and status.',
      labelNames: ['method', 'route', 'status'],
      registers,
    });
    this.errors = new Counter({
      name: 'satchel_errors_total',
      help: 'Error responses by error code (docs/api/errors.md).',
      labelNames: ['code'],
      registers,
    });
    this.durations = new Histogram({
      name: 'satchel_http_request_duration_seconds',
      help: 'Time from a request to the end of its response, by route.',
      labelNames: ['method', 'route'],
      buckets: SECONDS,
      registers,
    });
  }

  override readonly observe = (ended: EndedRequest): void => {
    const { method, route, status, milliseconds, errorCode } = ended;
    this.requests.inc({ method, route, status });
    this.durations.observe({ method, route }, milliseconds / 1000);
    if (errorCode !== undefined) {
      this.errors.inc({ code: errorCode });
    }
  };

  /** Leaves out values that are not finite, because messages between processes are JSON. */
  override async figures(): Promise<Figures> {
    this.addSources();
    const figures = await this.registry.getMetricsAsJSON();
    return figures.map((metric) => ({
      ...metric,
      values: metric.values.filter(({ value }) => Number.isFinite(value)),
    }));
  }

  override expose(): Promise<Exposition> {
    this.exposing ??= (this.options.exposeAll ?? this.exposeThis)().finally(() => {
      this.exposing = undefined;
    });
    return this.exposing;
  }

  private readonly exposeThis = async (): Promise<Exposition> => {
    this.addSources();
    return textOf(this.registry);
  };

  /** Several sources with the same name are one metric with the samples of all of them. */
  private addSources(): void {
    if (this.hasSources) {
      return;
    }
    this.hasSources = true;
    const byName = new Map<string, MetricSource[]>();
    for (const source of this.options.sources()) {
      byName.set(source.name, [...(byName.get(source.name) ?? []), source]);
    }
    byName.forEach((sources) => {
      this.add(sources);
    });
  }

  private add(sources: readonly MetricSource[]): void {
    const [facts] = sources;
    if (facts === undefined) {
      return;
    }
    const { name, help, labels = [], isPerProcess = false, aggregator } = facts;
    const further = isPerProcess ? { [PROCESS]: this.processName } : {};
    const read = async (): Promise<Sample[]> =>
      (await this.read(sources)).map(({ labels: own, value }) => ({
        labels: { ...own, ...further },
        value,
      }));
    const config = {
      name,
      help,
      labelNames: [...labels, ...Object.keys(further)],
      registers: [this.registry],
      ...(aggregator !== undefined && { aggregator }),
    };
    if (facts.kind === 'counter') {
      addCounter(config, read);
    } else {
      addGauge(config, read);
    }
  }

  /** A source that fails has no samples. The other metrics are still exposed. */
  private async read(sources: readonly MetricSource[]): Promise<Sample[]> {
    const read = sources.map(async ({ name, read: samples }) => {
      try {
        return listOf(await samples());
      } catch (error) {
        this.warnOnce(name, error);
        return [];
      }
    });
    return (await Promise.all(read)).flat();
  }

  private warnOnce(name: string, error: unknown): void {
    if (!this.warned.has(name)) {
      this.warned.add(name);
      this.logger.warn(new Error(`the metric ${name} cannot be read`, { cause: error }));
    }
  }
}

type Config = CounterConfiguration<string> & GaugeConfiguration<string>;

type Read = () => Promise<readonly Sample[]>;

function addCounter(config: Config, read: Read): void {
  const collect = async (): Promise<void> => {
    const samples = await read();
    counter.reset();
    samples.forEach(({ labels = {}, value }) => {
      counter.inc(labels, value);
    });
  };
  const counter = new Counter({ ...config, collect });
}

function addGauge(config: Config, read: Read): void {
  const collect = async (): Promise<void> => {
    const samples = await read();
    gauge.reset();
    if (samples.length === 0 && config.labelNames?.length === 0) {
      // After a reset, a gauge without labels would be 0.
      gauge.remove();
    }
    samples.forEach(({ labels = {}, value }) => {
      gauge.set(labels, value);
    });
  };
  const gauge = new Gauge({ ...config, collect });
}

const listOf = (samples: Samples): readonly Sample[] =>
  typeof samples === 'number' ? [{ value: samples }] : samples;

const textOf = async (registry: Registry): Promise<Exposition> => ({
  contentType: registry.contentType,
  text: await registry.metrics(),
});

/** Adds up the metrics of several processes. */
export const sumOf = (all: readonly Figures[]): Promise<Figures> =>
  AggregatorRegistry.aggregate([...all]).getMetricsAsJSON();

/** Returns the metrics of several processes together, in the text format of Prometheus. */
export const exposed = (all: readonly Figures[]): Promise<Exposition> =>
  textOf(AggregatorRegistry.aggregate([...all]));
