/** A value of a metric, with the values of the metric's labels. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The samples of a metric. A metric without labels is a number. */
export type Samples = number | readonly Sample[];

/** Describes a metric. */
export interface MetricFacts {
  readonly name: string;
  readonly help: string;
  /** A `counter` only increases until the process ends. A `gauge` can also decrease. */
  readonly kind: 'counter' | 'gauge';
  /** The names of the labels. Each label must have few values, because each combination of values is stored. */
  readonly labels?: readonly string[];
  /** True if the metric describes one process, and gets the label `process`. */
  readonly isPerProcess?: boolean;
  /** How the values of several processes are combined. The default is their sum. */
  readonly aggregator?: 'min' | 'max';
}

/** A metric and the function that reads its samples. */
export interface MetricSource extends MetricFacts {
  readonly read: () => Samples | Promise<Samples>;
}

type Read = () => Samples | Promise<Samples>;

interface DeclaredMetric {
  readonly facts: MetricFacts;
  readonly read: Read;
}

/** The metrics that each class declares, by its prototype. */
const declared = new WeakMap<object, DeclaredMetric[]>();

/**
 * Declares that a method of a provider reads the samples of a metric. The method is called for each scrape, if metrics
 * are on. Several providers may read samples of the same metric, with different labels.
 */
export const Metric =
  (facts: MetricFacts) =>
  (prototype: object, _method: string, { value: read }: { readonly value?: Read }): void => {
    if (read !== undefined) {
      declared.set(prototype, [...(declared.get(prototype) ?? []), { facts, read }]);
    }
  };

/** Returns the metrics that the class of an object and its base classes declare. */
export function metricsOf(instance: object): MetricSource[] {
  const sources: MetricSource[] = [];
  for (
    let prototype = Reflect.getPrototypeOf(instance);
    prototype !== null;
    prototype = Reflect.getPrototypeOf(prototype)
  ) {
    const own = declared.get(prototype) ?? [];
    sources.push(...own.map(({ facts, read }) => ({ ...facts, read: () => read.call(instance) })));
  }
  return sources;
}
