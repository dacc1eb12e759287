import type { MetricFacts } from './metric.js';
import { Tally } from './tally.js';

/** The metric for the lookups in all caches. */
export const CACHE_LOOKUPS: MetricFacts = {
  name: 'satchel_cache_lookups_total',
  help: 'Lookups in a cache, by result.',
  kind: 'counter',
  labels: ['cache', 'result'],
};

/** The metric for the sizes of all caches. */
export const CACHE_BYTES: MetricFacts = {
  name: 'satchel_cache_bytes',
  help: 'Size of a cache in bytes.',
  kind: 'gauge',
  labels: ['cache'],
};

type LookupResult = 'hit' | 'miss';

/** Returns a tally for the lookups in one cache. */
export const cacheTally = (): Tally<LookupResult> => new Tally<LookupResult>(['hit', 'miss']);
