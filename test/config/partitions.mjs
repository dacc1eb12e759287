import process from 'node:process';

import { common, onPostgres } from '../../jest.config.mjs';

// Read by test/support/global-setup.mjs and, in each of Jest's workers, by test/support/test-database.ts.
process.env.TEST_PARTITIONS ??= '32';

/**
 * What people do with a list, and all that sweeps and queues do to it. `TEST_SUITES='*'` also runs the suites of accounts,
 * requests and clients.
 */
const SUITES = [
  'add addition-order add-again annotations cli-resolve duplicates duplicates-likely duplicates-merged',
  'e-reader-digest export export-round-trip feeds',
  'get-filters get-full-text get-items get-list get-order get-paging get-search-cost get-since import',
  'import-folders item-notes kept-pictures kept-pictures-changes kept-pictures-limit kobo list-digests list-events list-feeds',
  'list-rules lost-history',
  'numbers-at-once oauth-flow opds opds-lists page-quota pages-account-deletion public-list-articles',
  'public-lists reader-address reader-address-at-once reader-bulk reader-deletions reader-failed',
  'reader-filters reader-highlights reader-list reader-more-filters reader-neighbours reader-search',
  'reader-trash reader-trash-at-once resolver routes-saved-before saved-lists send-add send-all-tags',
  'send-races send-states send-tags sent-pages shared-items snapshots snapshots-moved stats storage-limit',
  'storage-limit-trash suggested-tags sync-worlds tag-colors tag-moves tag-page wallabag-annotations wallabag-changes',
  'wallabag-entries wallabag-exists wallabag-tags wallabag-updates',
]
  .join(' ')
  .replaceAll(' ', ',');
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
