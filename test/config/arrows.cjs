/** The rooms of src, from the top down: a room imports those that follow it (docs/develop/architecture.md). */
const ROOMS = [
  ...['cli', 'app', 'web', 'apis', 'transfer', 'articles'],
  ...['reading-list', 'auth', 'pocket-api', 'platform', 'lib'],
];

const importsDown = ROOMS.slice(1).map((room, at) => ({
  name: `${room}-imports-down`,
  comment: 'A room imports only what is drawn below it.',
  severity: 'error',
  from: { path: `^src/${room}/`, pathNot: '\\.spec\\.ts$' },
  to: { path: `^src/(${ROOMS.slice(0, at + 1).join('|')})/` },
}));

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one idea or three.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-orphans',
      comment: 'A file that no other file imports is dead.',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [
          '^src/web/assets/',
          '\\.d\\.ts$',
          '\\.spec\\.ts$',
          '^src/(main|cli)\\.ts$',
          '^ormconfig\\.ts$',
        ],
      },
      to: {},
    },
    ...importsDown,
    {
      name: 'protocols-are-apart',
      comment: 'Each is another way to the same services; a catalogue is written as a feed is.',
      severity: 'error',
      from: { path: '^src/apis/([^/]+)/', pathNot: '^src/apis/opds/' },
      to: { path: '^src/apis/', pathNot: '^src/apis/$1/' },
    },
    {
      name: 'the-catalogue-knows-feeds-alone',
      severity: 'error',
      from: { path: '^src/apis/opds/' },
      to: { path: '^src/apis/', pathNot: '^src/apis/(opds|feeds)/' },
    },
    {
      name: 'accounts-know-no-application',
      comment: 'auth <- auth/consumers <- auth/oauth: left is known by right, never back.',
      severity: 'error',
      from: { path: '^src/auth/', pathNot: '^src/auth/(consumers|oauth)/' },
      to: { path: '^src/auth/(consumers|oauth)/' },
    },
    {
      name: 'consumers-know-no-oauth',
      severity: 'error',
      from: { path: '^src/auth/consumers/' },
      to: { path: '^src/auth/oauth/' },
    },
    {
      name: 'the-resolver-knows-no-view',
      comment: 'articles/resolver <- articles: left is known by right, never back.',
      severity: 'error',
      from: { path: '^src/articles/resolver/' },
      to: { path: '^src/articles/', pathNot: '^src/articles/resolver/' },
    },
    {
      name: 'lib-knows-no-framework',
      comment: 'Each part of it can be used without this service.',
      severity: 'error',
      from: { path: '^src/lib/', pathNot: '\\.spec\\.ts$' },
      to: { path: 'node_modules/(@nestjs|typeorm)/' },
    },
    {
      name: 'http-is-a-leaf',
      comment: 'Requests and presenters never reach a service.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '/http/',
          '^src/web/',
          '\\.module\\.ts$',
          '^src/app/app\\.setup\\.ts$',
          '/(guards|strategies)/',
        ],
      },
      to: { path: '^src/.+/http/', pathNot: '^src/platform/http/' },
    },
    {
      name: 'entities-import-entities',
      comment:
        'Entities are columns, of which entity-columns names the rows, facet.ts the counters, not-imported.ts a report and highlight-color.ts the colors; they query nothing.',
      severity: 'error',
      from: { path: '/entities/' },
      to: {
        path: '^src/',
        pathNot: [
          '/entities/',
          '/permission\\.ts$',
          '/dialect\\.ts$',
          '/entity-columns\\.ts$',
          '/facet\\.ts$',
          '/highlight-color\\.ts$',
          '/not-imported\\.ts$',
        ],
      },
    },
    {
      name: 'extraction-is-pure',
      comment: 'Text in, content out: no database, no network.',
      severity: 'error',
      from: { path: '^src/lib/extraction/' },
      to: {
        path: ['node_modules/(pg|undici)/', '^(node:)?(net|http|https|http2|dns|tls|dgram)$'],
      },
    },
    {
      name: 'parsers-load-in-threads',
      comment:
        'Workers alone load what reads pages and documents: any other process pays for it at its start.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['\\.worker\\.ts$', '\\.spec\\.ts$', '/documents/text-document\\.ts$'],
      },
      to: {
        path: '^src/lib/extraction/(extract-page|documents/(feed|pdf|text-(and-image|document)))\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'src-imports-src',
      comment:
        'The arrow is root -> src and test -> src; specs beside their source share test/support.',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(test/|ormconfig)' },
    },
    {
      name: 'no-barrels',
      severity: 'error',
      from: {},
      to: { path: '(^|/)index\\.ts$', pathNot: 'node_modules' },
    },
    {
      name: 'declared-packages-only',
      severity: 'error',
      from: { path: '^(src/|ormconfig)', pathNot: '\\.spec\\.ts$' },
      to: {
        // The build copies the files of these packages that the service uses (scripts/copy-libraries.mjs).
        pathNot: '^node_modules/(pdfjs-dist|swagger-ui-dist)/',
        dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'],
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
