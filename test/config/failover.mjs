import { common, onPostgres } from '../../jest.config.mjs';

/** A PostgreSQL server and its standby under Patroni, which take over from each other (docs/host/operating.md). */
export default {
  ...common,
  projects: [
    {
      ...onPostgres,
      displayName: 'failover',
      testMatch: ['<rootDir>/test/failover/**/*.failover-spec.ts'],
    },
  ],
};
