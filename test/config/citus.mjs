import process from 'node:process';

import { common, onPostgres } from '../../jest.config.mjs';

const { TEST_CITUS_URL: url, TEST_SUITES: suites = '*' } = process.env;

/** Suites that do not fit a distributed database. docs/host/scaling.md names the reasons. */
const UNFIT = [
  'cli-doctor-citus',
  'cli-migrate-doctor',
  'cli-newer-database',
  'deadlocks',
  'get-search-cost',
  'guid',
  'lost-history',
  'slow-commit',
];

if (url === undefined) {
  process.stderr.write(
    'The tests on Citus are skipped, because TEST_CITUS_URL is not set (docs/host/scaling.md).\n',
  );
} else {
  // Read by test/support/global-setup.mjs.
  process.env.TEST_ON_CITUS = '1';
}

const onCitus = {
  ...onPostgres,
  testPathIgnorePatterns: UNFIT.map((name) => `/test/e2e/${name}\\.e2e-spec`),
  testMatch: [
    '<rootDir>/test/long/chaos.long-spec.ts',
    '<rootDir>/test/citus/**/*.citus-spec.ts',
    ...suites.split(',').map((name) => `<rootDir>/test/e2e/${name}.e2e-spec.ts`),
  ],
};

/** On lists that Citus has distributed over servers. */
export default {
  ...common,
  passWithNoTests: true,
  projects: [
    { ...onCitus, displayName: 'citus', ...(url === undefined && { testMatch: ['/skipped'] }) },
  ],
};
