import { availableParallelism } from 'node:os';

import { common, onPostgres } from '../../jest.config.mjs';

/** The pages in a real browser: apart, since `npm test` needs Node and nothing else. */
export default {
  ...common,
  // Each worker has its own browser, which needs a core.
  maxWorkers: availableParallelism(),
  projects: [
    {
      ...onPostgres,
      displayName: 'browser',
      testMatch: ['<rootDir>/test/browser/**/*.browser-spec.ts'],
    },
  ],
};
