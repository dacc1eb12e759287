import { common, LONG_SUITES, onPostgres } from './jest.config.mjs';

/** The suites that take long by what they are: apart, since a test command that takes long is not run. */
export default {
  ...common,
  projects: [
    {
      ...onPostgres,
      displayName: 'long',
      testMatch: LONG_SUITES.map((path) => `<rootDir>/${path}`),
    },
  ],
};
