import comments from '@eslint-community/eslint-plugin-eslint-comments';
import regexp from 'eslint-plugin-regexp';
import importSort from 'eslint-plugin-simple-import-sort';
import tseslint from 'typescript-eslint';

const SIZE_LIMITS = {
  'max-lines': ['error', { max: 300 }],
  'max-lines-per-function': ['error', { max: 30 }],
  complexity: ['error', 8],
  'max-depth': ['error', 3],
  'max-params': 'off',
  '@typescript-eslint/max-params': ['error', { max: 4 }],
};

const ONE_PLACE = [
  {
    selector: 'MemberExpression[object.name="process"][property.name="env"]',
    message: 'The environment is read in src/platform/config only.',
  },
  {
    selector: 'MemberExpression[object.name="URL"][property.name="canParse"]',
    message: 'It refuses letters as é once it is hot: parsedUrl (src/lib/util/parsed-url.ts).',
  },
  {
    selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
    message: 'Ask the Clock (src/platform/common/clock.ts).',
  },
  {
    selector: 'CallExpression[callee.object.name="Date"][callee.property.name="now"]',
    message: 'Ask the Clock (src/platform/common/clock.ts).',
  },
  {
    selector: 'CallExpression[callee.object.name="Math"][callee.property.name="random"]',
    message: 'Use node:crypto.',
  },
  {
    selector: 'ObjectExpression > SpreadElement > ObjectExpression',
    message: 'Write the properties themselves.',
  },
];

export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'coverage', 'data', '**/*.mjs', '**/*.cjs'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: {
      ...{ regexp, 'simple-import-sort': importSort },
      '@eslint-community/eslint-comments': comments,
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      ...SIZE_LIMITS,
      curly: 'error',
      eqeqeq: 'error',
      'no-else-return': ['error', { allowElseIf: false }],
      'no-restricted-syntax': ['error', ...ONE_PLACE],
      // A text that a stranger wrote is read in a time that grows with its length, not with its square.
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': [
        'error',
        { report: 'potential', ignorePartial: false, ignoreSticky: true },
      ],
      'simple-import-sort/imports': 'error',
      'simple-import-sort/exports': 'error',
      '@eslint-community/eslint-comments/require-description': 'error',
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      // Nest's options and the injected Config are classes that are written as plain objects.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
  {
    files: ['src/platform/config/**', 'src/platform/common/clock.ts', 'ormconfig.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['test/**', '**/*.spec.ts'],
    rules: {
      'max-lines': ['error', { max: 300 }],
      'max-lines-per-function': 'off',
      complexity: 'off',
      'no-restricted-syntax': 'off',
      'regexp/no-super-linear-backtracking': 'off',
      'regexp/no-super-linear-move': 'off',
      '@typescript-eslint/consistent-type-assertions': 'off',
      '@typescript-eslint/explicit-module-boundary-types': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-misused-spread': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['src/web/assets/**', 'extension/**'],
    languageOptions: {
      parserOptions: { projectService: false, project: ['test/config/tsconfig.browser.json'] },
    },
    rules: {
      // Types stand in JSDoc here.
      '@typescript-eslint/explicit-module-boundary-types': 'off',
      'no-restricted-syntax': 'off',
    },
  },
  {
    files: [
      'src/web/assets/{service-worker,offline-changes,offline-keep,offline-pages,offline-queue,offline-requests,offline-session}.js',
    ],
    languageOptions: {
      parserOptions: { projectService: false, project: ['test/config/tsconfig.worker.json'] },
    },
  },
  {
    files: ['src/platform/database/migrations/**'],
    rules: { 'max-lines': 'off', 'max-lines-per-function': 'off' },
  },
);
