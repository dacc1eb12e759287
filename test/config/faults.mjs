import process from 'node:process';

import { common, onPostgres } from '../../jest.config.mjs';

// Read by the test in Jest's workers.
process.env.FAULTS ??= '100';
process.env.FAULTS_SEED ??= String(Date.now() % 1_000_000);

/** A hundred faults under load; test:long has a short form. */
export default {
  ...common,
  projects: [
    {
      ...onPostgres,
      displayName: 'faults',
      testMatch: ['<rootDir>/test/long/faults.long-spec.ts'],
    },
  ],
};
