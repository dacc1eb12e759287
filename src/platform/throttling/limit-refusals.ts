import type { MetricFacts } from '../metrics/metric.js';

/** The metric for the requests that a limit of attempts or calls has rejected. */
export const LIMIT_REFUSALS: MetricFacts = {
  name: 'satchel_limit_refusals_total',
  help: 'Requests that a limit has rejected, by limit.',
  kind: 'counter',
  labels: ['limit'],
};
