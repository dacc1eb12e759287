import { common, onPostgres } from '../../jest.config.mjs';

/** The pages in a real browser: apart, since `npm test` needs Node and nothing else. */
export default {
  ...common,
  // Each worker has a browser of its own, whose processes have a higher priority than the database.
  maxWorkers: 2,
  projects: [
    {
      ...onPostgres,
      displayName: 'browser',
      testMatch: ['<rootDir>/test/browser/**/*.browser-spec.ts'],
    },
  ],
};
