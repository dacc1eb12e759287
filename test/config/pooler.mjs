import process from 'node:process';

import { common, onPostgres } from '../../jest.config.mjs';

// Read by test/support/test-database.ts in each of Jest's workers.
process.env.TEST_POOLER ??= 'transaction';

/**
 * What people do, with each database behind a PgBouncer of few sessions; `TEST_SUITES='*'` runs all suites. It needs the
 * program (docs/host/operating.md).
 */
const SUITES =
  'access-token,add,add-again,addition-order,annotations,call-leases,call-limits,deadlocks,feeds,get-again,get-filters,get-full-text,get-paging,get-since,import,import-numbers,login,logout,numbers-at-once,oauth-flow,opds,page-quota,pages-account,reader-deletions,reader-list,reader-save,refresh,refresh-races,register,resolver,resolver-late,send-model,send-races,send-states,send-tags,sessions,since-ahead,slow-commit,stats,sync-worlds,tag-moves,throttling,wallabag-entries';
const { TEST_SUITES: suites = SUITES } = process.env;

/** Suites that look at the database itself. */
const DIRECT = [
  // `doctor` holds the server's `max_connections` against the pools only where nothing stands in between.
  'cli-migrate-doctor',
  // It has a pooler of its own, and begins with a role that has no limits yet.
  'cli-doctor-pooler',
  // It holds half of a pool, which is more than the sessions of the pooler.
  'get-search-cost',
];

export default {
  ...common,
  projects: [
    {
      ...onPostgres,
      displayName: 'pooler',
      testMatch: [
        '<rootDir>/test/pooler/**/*.pooler-spec.ts',
        ...suites.split(',').map((name) => `<rootDir>/test/e2e/${name}.e2e-spec.ts`),
      ],
      testPathIgnorePatterns: [`/test/e2e/(${DIRECT.join('|')})\\.e2e-spec\\.ts$`],
    },
  ],
};
