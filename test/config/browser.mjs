import { common, onPostgres } from '../../jest.config.mjs';

/** The pages in a real browser: apart, since `npm test` needs Node and nothing else. */
export default {
  ...common,
  projects: [
    {
      ...onPostgres,
      displayName: 'browser',
      testMatch: ['<rootDir>/test/browser/**/*.browser-spec.ts'],
    },
  ],
};
