/** The arrows of docs/architecture.md as rules. Each rule names what may not be imported, and why. */
const FEATURES =
  'auth|consumers|reading-list|resolver|articles|e-reader-mail|transfer|backup|oauth|feeds|opds|pages|health|openapi|' +
  'pocket-api|wallabag-api|fetching|extraction|library-formats';

/** The wires of the original and of wallabag: errors, headers and parameters of common are written as their clients read them. */
const WIRE = '^src/(pocket-api|wallabag-api/wire)/';

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
          '^src/pages/assets/',
          '\\.d\\.ts$',
          '\\.spec\\.ts$',
          '^src/(main|cli)\\.ts$',
          '^ormconfig\\.ts$',
        ],
      },
      to: {},
    },
    {
      name: 'foundations-know-no-feature',
      comment:
        'config, common, database and mail are known by all and know no feature (but its entities, and the wire).',
      severity: 'error',
      from: { path: '^src/(config|common|database|throttling|mail)/' },
      to: { path: `^src/(${FEATURES}|cli)/`, pathNot: ['/entities/', WIRE] },
    },
    {
      name: 'the-wire-knows-no-feature',
      comment: 'How bodies are read and answers are written is the same for each endpoint.',
      severity: 'error',
      from: { path: WIRE },
      to: { path: `^src/(${FEATURES}|cli)/`, pathNot: WIRE },
    },
    {
      name: 'fetching-knows-no-feature',
      comment: 'The only way to other servers, for pages and for pictures.',
      severity: 'error',
      from: { path: '^src/fetching/' },
      to: { path: `^src/(${FEATURES}|cli)/`, pathNot: '^src/fetching/' },
    },
    {
      name: 'auth-knows-no-feature',
      comment:
        'auth <- consumers <- everything else: left is known by right, never back. The issuer is called through fetching.',
      severity: 'error',
      from: { path: '^src/auth/' },
      to: {
        path: `^src/(${FEATURES}|cli)/`,
        pathNot: '^src/(auth|fetching)/',
      },
    },
    {
      name: 'consumers-knows-auth-only',
      severity: 'error',
      comment:
        'And the columns of a list, which are read with the caller, and the headers of the limits.',
      from: { path: '^src/consumers/' },
      to: {
        path: `^src/(${FEATURES}|cli)/`,
        pathNot: ['^src/(auth|consumers)/', '^src/reading-list/entities/', WIRE],
      },
    },
    {
      name: 'oauth-knows-accounts-and-consumers',
      comment: 'It reads its calls through pocket-api, as the reading list does.',
      severity: 'error',
      from: { path: '^src/oauth/' },
      to: {
        path: '^src/(reading-list|resolver|articles|transfer|pages|health|openapi|cli)/',
      },
    },
    {
      name: 'reading-list-knows-no-reader-of-pages',
      comment:
        'reading-list <- resolver <- articles, transfer: left is known by right, never back.',
      severity: 'error',
      from: { path: '^src/reading-list/' },
      to: { path: '^src/(resolver|articles|transfer|oauth|pages|health|openapi|cli)/' },
    },
    {
      name: 'resolver-knows-the-list-only',
      severity: 'error',
      from: { path: '^src/resolver/' },
      to: { path: '^src/(articles|transfer|oauth|pages|health|openapi|cli)/' },
    },
    {
      name: 'articles-are-not-imported',
      comment:
        'reading-list <- resolver <- articles <- e-reader-mail, pages: left is known by right, never back.',
      severity: 'error',
      from: {
        path: '^src/[^/]+/',
        pathNot: '^src/(articles|e-reader-mail|opds|pages|wallabag-api|cli)/',
      },
      to: { path: '^src/articles/' },
    },
    {
      name: 'e-reader-mail-is-imported-by-pages-alone',
      comment: 'Its settings are a page, and an article has a button for it.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: '^src/(e-reader-mail|pages)/' },
      to: { path: '^src/e-reader-mail/', pathNot: '/entities/' },
    },
    {
      name: 'feeds-know-the-list-only',
      comment: 'reading-list <- feeds <- pages: what it shows of a page stands in the item.',
      severity: 'error',
      from: { path: '^src/feeds/' },
      to: { path: '^src/(resolver|articles|transfer|oauth|pages|health|openapi|cli)/' },
    },
    {
      name: 'feeds-are-imported-by-pages-and-opds-alone',
      comment: 'The account page shows their addresses; a catalogue is written as a feed is.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: '^src/(feeds|opds|pages)/' },
      to: { path: '^src/feeds/', pathNot: '/entities/' },
    },
    {
      name: 'pages-are-not-imported',
      comment: 'They are for people: what they do is done by services.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: '^src/pages/' },
      to: { path: '^src/pages/', pathNot: '/entities/' },
    },
    {
      name: 'the-wallabag-api-is-not-imported',
      comment:
        'It is another way to the same services; its wire alone is known by common and pages.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: '^src/wallabag-api/' },
      to: { path: '^src/wallabag-api/', pathNot: ['/entities/', WIRE] },
    },
    {
      name: 'opds-is-not-imported',
      comment: 'It is another way to the same services.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: '^src/opds/' },
      to: { path: '^src/opds/' },
    },
    {
      name: 'the-api-document-is-not-imported',
      comment: 'What it says is declared by the features through common/openapi.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: '^src/openapi/' },
      to: { path: '^src/openapi/' },
    },
    {
      name: 'http-is-a-leaf',
      comment: 'Requests and presenters never reach a service.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '/http/',
          '^src/pages/',
          '\\.module\\.ts$',
          '^src/app\\.setup\\.ts$',
          '/(guards|strategies)/',
        ],
      },
      to: { path: '^src/[^/]+/http/', pathNot: '^src/common/' },
    },
    {
      name: 'entities-import-entities',
      comment:
        'Entities are columns, of which entity-columns names the rows, facet.ts the counters and unread-fields.ts a report; they query nothing.',
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
          '/unread-fields\\.ts$',
        ],
      },
    },
    {
      name: 'extraction-is-pure',
      comment:
        'Text in, content out: no framework, no database, no network, nothing of the service.',
      severity: 'error',
      from: { path: '^src/extraction/' },
      to: {
        path: [
          '^src/(?!extraction/|common/)',
          'node_modules/(@nestjs|typeorm|pg|undici)/',
          '^(node:)?(net|http|https|http2|dns|tls|dgram)$',
        ],
      },
    },
    {
      name: 'parsers-load-in-threads',
      comment:
        'Workers alone load what reads pages and documents: any other process pays for it at its start.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['\\.worker\\.ts$', '\\.spec\\.ts$'] },
      to: {
        path: '^src/extraction/(extract-page|documents/(feed|pdf|text-and-image))\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'library-formats-are-pure',
      comment:
        'Files of other services in and out: no framework, no database, nothing of this service but common.',
      severity: 'error',
      from: { path: '^src/library-formats/' },
      to: {
        path: [
          '^src/(?!library-formats/|common/|extraction/)',
          'node_modules/(@nestjs|typeorm|pg)/',
        ],
      },
    },
    {
      name: 'embedded-postgres-is-pure',
      comment: 'A PostgreSQL server from npm: it can be used without this service.',
      severity: 'error',
      from: { path: '^src/embedded-postgres/' },
      to: {
        path: ['^src/(?!embedded-postgres/|common/)', 'node_modules/(@nestjs|typeorm)/'],
      },
    },
    {
      name: 'nothing-imports-the-command-line',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/cli/', '^src/cli\\.ts$'] },
      to: { path: '^src/cli/' },
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
