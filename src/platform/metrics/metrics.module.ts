import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';

import { Config } from '../config/config.js';
import { metricsOf, type MetricSource } from './metric.js';
import { type Exposition, Metrics, NoMetrics } from './metrics.js';

/** The process whose metrics a module exposes. */
export interface MetricsProcess {
  /** The name of the process. Undefined if the service has only one process. */
  readonly name?: string | undefined;
  /** Returns the metrics of all processes. Undefined if the service has only one process. */
  readonly exposeAll?: (() => Promise<Exposition>) | undefined;
}

/** Provides the metrics that the providers of the process declare with `@Metric`. */
@Module({})
export class MetricsModule {
  static of({ name, exposeAll }: MetricsProcess): DynamicModule {
    const metrics = {
      provide: Metrics,
      inject: [Config, DiscoveryService],
      useFactory: async (config: Config, discovery: DiscoveryService): Promise<Metrics> => {
        if (config.metrics === undefined) {
          return new NoMetrics();
        }
        const { PrometheusMetrics } = await import('./prometheus.js');
        const sources = (): MetricSource[] => sourcesIn(discovery);
        return new PrometheusMetrics({ processName: name, sources, exposeAll });
      },
    };
    return {
      module: MetricsModule,
      imports: [DiscoveryModule],
      providers: [metrics],
      exports: [Metrics],
    };
  }
}

/** Returns the metrics of all providers. A provider of several modules is one source. */
function sourcesIn(discovery: DiscoveryService): MetricSource[] {
  const instances = discovery.getProviders().map(({ instance }: { instance: unknown }) => instance);
  return [...new Set(instances)].flatMap((instance) =>
    typeof instance === 'object' && instance !== null ? metricsOf(instance) : [],
  );
}
