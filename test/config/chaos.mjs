import process from 'node:process';

import { common, onPostgres } from '../../jest.config.mjs';

// Read by the test in each of Jest's workers.
process.env.CHAOS_KILLS ??= '100';
process.env.CHAOS_INSTANCES ??= '3';

/** Instances that are killed a hundred times; test:long has a short form (docs/host/operating.md). */
export default {
  ...common,
  projects: [
    {
      ...onPostgres,
      displayName: 'chaos',
      testMatch: ['<rootDir>/test/long/chaos.long-spec.ts'],
    },
  ],
};
