import { availableParallelism } from 'node:os';

// The service is ESM; under Jest src and test are compiled to CommonJS by swc: no --experimental-vm-modules, and suites
// load faster (docs/decisions/0002). Libraries are loaded by Node, once a worker (test/support/jest), and so is the service,
// compiled, for all tests but those of the units (docs/decisions/0079).
const swc = {
  swcrc: false,
  sourceMaps: 'inline',
  module: { type: 'commonjs' },
  jsc: {
    target: 'es2022',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
};

const base = {
  rootDir: import.meta.dirname,
  testEnvironment: '<rootDir>/test/support/jest/environment.mjs',
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json'],
  transform: {
    '/(node_modules/.+|dist/src/.+|test/support/jest/shared-.+)\\.(js|mjs|cjs)$':
      '<rootDir>/test/support/jest/library.mjs',
    '^.+\\.(ts|js|mjs)$': ['@swc/jest', swc],
  },
  transformIgnorePatterns: [],
  // Global set-up writes it.
  watchPathIgnorePatterns: ['<rootDir>/dist/'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  setupFiles: ['reflect-metadata', '<rootDir>/test/support/jest/seed.mjs'],
};

/** Coverage is that of what Jest itself has loaded. */
const isCovered = process.argv.some((word) => /^--(collect-?)?coverage\b/i.test(word));

const compiledService = {
  testEnvironmentOptions: { isOnCompiledService: true },
  moduleNameMapper: {
    '^(?:\\.\\./)+src/(.*)\\.js$': '<rootDir>/dist/src/$1.js',
    ...base.moduleNameMapper,
  },
};

/** For suites on PostgreSQL: those below, and those of test/config. */
export const onPostgres = {
  ...base,
  ...(isCovered ? {} : compiledService),
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
};

/** For every run. */
export const common = {
  rootDir: import.meta.dirname,
  // Much longer than anything takes: on a machine that is busy with other work the tests wait, and do not fail.
  testTimeout: 180_000,
  // Jest leaves one core to itself, which makes one worker of two cores; and a worker waits for PostgreSQL half of its time.
  maxWorkers: Math.ceil(1.5 * availableParallelism()),
  // Each suite leaves a megabyte or two behind. A worker that has grown so far is replaced between two suites.
  workerIdleMemoryLimit: '1GB',
  testSequencer: '<rootDir>/test/support/jest/sequencer.mjs',
  reporters: ['default', '<rootDir>/test/support/jest/still-running.mjs'],
};

export default {
  ...common,
  coverageProvider: 'v8',
  collectCoverageFrom: [
    'src/**/*.ts',
    '!src/**/*.spec.ts',
    '!src/main.ts',
    '!src/**/migrations/**',
  ],
  projects: [
    { ...base, displayName: 'unit', testMatch: ['<rootDir>/src/**/*.spec.ts'] },
    {
      ...onPostgres,
      displayName: 'integration',
      testMatch: ['<rootDir>/test/integration/**/*.int-spec.ts'],
    },
    {
      ...onPostgres,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/e2e/**/*.e2e-spec.ts'],
    },
    {
      ...onPostgres,
      displayName: 'contract',
      testMatch: ['<rootDir>/test/contract/**/*.contract-spec.ts'],
    },
  ],
};
