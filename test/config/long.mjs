import { common, onPostgres } from '../../jest.config.mjs';

/** Crashes, whole libraries, files broken at random, pages of hostile sizes: a test command that takes long is not run. */
export default {
  ...common,
  projects: [
    {
      ...onPostgres,
      displayName: 'long',
      testMatch: ['<rootDir>/test/long/**/*.long-spec.ts'],
    },
  ],
};
