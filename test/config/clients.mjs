import { common, onPostgres } from '../../jest.config.mjs';

/** Clients of other people, unchanged: each is fetched by whoever runs them, and named by a variable (CONTRIBUTING.md). */
export default {
  ...common,
  projects: [
    {
      ...onPostgres,
      displayName: 'clients',
      testMatch: ['<rootDir>/test/clients/**/*.clients-spec.ts'],
    },
  ],
};
