import process from 'node:process';

import { common, onPostgres } from '../../jest.config.mjs';

// Read by test/support/global-setup.mjs and, in each of Jest's workers, by test/support/test-database.ts.
process.env.TEST_PARTITIONS ??= '32';

/** What people do with a list, and all that sweeps and queues do to it; `TEST_SUITES='*'` runs all suites. */
const SUITES =
  'add,addition-order,annotations,cli-resolve,export,feeds,get-filters,get-full-text,get-paging,get-search-cost,get-since,import,oauth-flow,opds,page-quota,reader-address,reader-address-at-once,reader-deletions,reader-failed,reader-filters,reader-list,reader-trash,resolver,send-all-tags,send-tags,stats,suggested-tags,tag-moves,wallabag-annotations,wallabag-entries,wallabag-tags';
/** Left out with `'*'`, each with its reason in docs/host/scaling.md. */
const UNFIT = ['cli-doctor-citus', 'cli-migrate-doctor', 'cli-newer-database'];
const { TEST_SUITES: suites = SUITES } = process.env;

/** On personal tables that are partitioned by user, with each statement held against docs/host/scaling.md. */
export default {
  ...common,
  projects: [
    {
      ...onPostgres,
      displayName: 'partitions',
      setupFilesAfterEnv: ['<rootDir>/test/support/jest/watch-plans.ts'],
      testPathIgnorePatterns: UNFIT.map((name) => `/test/e2e/${name}\\.e2e-spec`),
      testMatch: [
        '<rootDir>/test/partitions/**/*.partitions-spec.ts',
        ...suites.split(',').map((name) => `<rootDir>/test/e2e/${name}.e2e-spec.ts`),
      ],
    },
  ],
};
