import { readFileSync } from 'node:fs';

import { Validator } from '@seriousme/openapi-schema-validator';
import type {
  MediaTypeObject,
  OpenAPIObject,
  ResponseObject,
  SchemaObject,
} from 'openapi3-ts/oas31';
import request from 'supertest';

import { describeService } from '../../src/app/describe-service.js';
import { ERROR_TEXTS } from '../../src/app/openapi/error-texts.js';
import { ERROR_CATALOGUE } from '../../src/platform/common/error.catalogue.js';
import { ApiDescription } from '../support/api-document.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

/**
 * Errors outside of operations: unused methods, undeclared routes, forms of pages, files that are read later, and
 * requests that are too slow or too large.
 */
const OF_NO_OPERATION = [
  ...[
    'invalid_link',
    'login_refused',
    'administrator_needed',
    'form_outdated',
    'undeclared_route',
    'method_not_allowed',
  ],
  ...[
    'request_timeout',
    'last_administrator',
    'unknown_format',
    'unreadable_file',
    'headers_too_large',
    'issuer_unavailable',
  ],
];

/** Pages and forms, which are not part of the API. */
const FOR_PEOPLE = [
  // Twice, because the session middleware is mounted at exactly this path.
  ...['get /', 'get /'],
  ...[
    'get /read/{id}',
    'post /read/appearance',
    'post /read/{id}/position',
    'post /read/{id}/retry',
  ],
  ...['get /read/{id}/edit', 'post /read/{id}/edit', 'post /read/{id}/fetch'],
  ...['get /read/{id}/markdown', 'post /read/{id}/highlights', 'post /read/{id}/highlights/note'],
  ...['post /read/{id}/note', 'get /snapshots', 'post /snapshots/{id}/delete'],
  ...['', '/content', '/download', '/delete'].map((path) => `get /snapshots/{id}${path}`),
  ...['post /read/{id}/highlights/delete', 'get /highlights', 'get /highlights/markdown'],
  ...['get /save', 'post /save', 'get /save/done', 'get /saves', 'get /a/read/{id}'],
  ...[
    'get /manifest.webmanifest',
    'get /service-worker.js',
    'get /offline',
    'get /offline/save',
    'get /offline/tags',
    'get /list/offline.json',
  ],
  ...['get /auth/login', 'post /auth/login', 'get /auth/register', 'post /auth/register'],
  ...['post /auth/leave', 'post /auth/authorize', 'get /pages/{asset}', 'get /favicon.ico'],
  ...['get /account', 'post /account/password', 'post /account/sign-out'],
  ...['get /account/activity', 'get /admin/audit', 'get /auth/second-factor'],
  ...['get /account/security', 'get /account/devices', 'get /account/data'],
  ...['get /account/profile', 'post /account/profile', 'post /account/dates'],
  ...['post /account/language', 'post /account/email', 'post /account/email/cancel'],
  ...['get /auth/verify/email', 'post /auth/verify/email', 'get /account/delete'],
  ...['get /account/reading', 'post /account/reading', 'post /account/delete'],
  ...['post /account/export', 'get /account/extension', 'post /account/extension'],
  ...['get /account/extension/satchel-extension.zip', 'get /account/phone', 'get /welcome'],
  ...['get /account/imports/{id}', 'get /account/imports/{id}/remarks'],
  ...['post /account/import', 'post /account/imports/{id}/cancel'],
  ...['get /account/imports/{id}/undo', 'post /account/imports/{id}/undo'],
  ...['get /account/e-reader', 'post /account/e-reader'],
  ...[
    'post /account/e-reader/confirm',
    'post /account/e-reader/delete',
    'post /account/e-reader/test',
    'post /read/{id}/e-reader',
  ],
  ...['get /list/export.epub', 'post /list/export.epub', 'get /read/{id}/export.epub'],
  'post /list/layout',
  ...['get /account/keys', 'post /account/keys', 'post /account/keys/revoke'],
  ...['get /account/keys/clients', 'post /account/keys/clients'],
  ...['get /account/keys/passwords', 'post /account/keys/passwords'],
  // Twice, for the same reason as `get /`.
  ...['get /wallabag', 'get /wallabag', 'get /wallabag/login', 'post /wallabag/login_check'],
  ...['get /wallabag/logout', 'get /wallabag/favicon.ico', 'get /wallabag/developer'],
  ...['get /wallabag/developer/client/create', 'post /wallabag/developer/client/create'],
  ...['unread', 'starred', 'archive', 'all', 'tag'].map((list) => `get /wallabag/${list}/list`),
  ...['get /wallabag/bagit', 'get /wallabag/bookmarklet', 'get /wallabag/export/{entry}.{format}'],
  ...['get /wallabag/share/{token}', 'get /wallabag/view/{entry}'],
  ...['applications/revoke', 'feeds', 'feeds/revoke'].map((form) => `post /account/${form}`),
  ...['get /admin', 'get /admin/users', 'get /admin/users/{id}', 'get /admin/users/{id}/delete'],
  ...['post /admin/users/{id}/reset', 'post /admin/users/{id}/{verb}'],
  ...['get /admin/keys', 'post /admin/keys', 'get /admin/keys/{id}', 'get /admin/keys/{id}/delete'],
  ...['post /admin/keys/{id}/permissions', 'post /admin/keys/{id}/{verb}'],
  ...['get /admin/invitations', 'post /admin/invitations', 'post /admin/invitations/revoke'],
  ...['start', 'callback', 'logout'].map((step) => `get /auth/oidc/${step}`),
  ...['get /auth/login/code', 'post /auth/login/code'],
  ...['get /auth/confirm', 'post /auth/confirm', 'get /auth/oidc/confirm'],
  ...['get /auth/forgot', 'post /auth/forgot', 'get /auth/reset', 'post /auth/reset'],
  ...['get /auth/verify', 'post /auth/verify', 'post /auth/verify/again'],
  ...['get', 'post'].map((method) => `${method} /account/second-factor`),
  ...['get /account/passkeys', 'get /account/passkeys/new'],
  ...['new', 'new/options', 'rename', 'remove'].map((verb) => `post /account/passkeys/${verb}`),
  ...['login', 'login/code', 'confirm'].flatMap((page) => [
    ...['get', 'post'].map((method) => `${method} /auth/${page}/passkey`),
    `post /auth/${page}/passkey/options`,
  ]),
  ...['post /account/sessions/end', 'post /account/sessions/end-others'],
  ...['get /list', 'post /list/actions', 'get /list/tags', 'get /list/tags/all'],
  ...['get /list/tags/edit', 'post /list/tags/edit', 'post /list/tags/edit/color'],
  'post /list/tags/edit/delete',
  ...['get /list/surprise', 'post /list/retry', 'get /list/l/{name}', 'get /list/lists'],
  ...['get /list/lists/edit', 'post /list/lists', 'get /account/shared-links'],
  ...['post /account/shared-links/revoke', 'post /account/shared-links/revoke-all'],
  ...['post /read/{id}/share', 'post /read/{id}/share/revoke'],
  ...['get /shared/{token}', 'get /shared/{token}/pictures/{number}'],
  ...['get /shared/lists/{address}', 'get /shared/lists/{address}.atom'],
  ...['get /unsubscribe/{token}', 'post /unsubscribe/{token}', 'post /list/lists/digest/confirm'],
  ...['edit', 'conditions', 'move', 'delete', 'restore'].map((verb) => `post /list/lists/${verb}`),
  ...['public', 'rule', 'rule/apply', 'digest'].map((verb) => `post /list/lists/${verb}`),
  ...['get', 'post'].map((method) => `${method} /list/duplicates`),
  ...['get', 'post'].flatMap((method) => [`${method} /list/trash`, `${method} /list/trash/empty`]),
  'get /.well-known/security.txt',
  'get /images/thumbnails/{user}/{item}/{signature}',
  'get /images/thumbnails/{user}/{item}/{signature}/large',
  ...['get /bookmarklet', 'get /bookmarklet/add', 'get /bagit', 'get /bookmarks/new'],
  ...['get /api/save', 'get /share', 'get /apps/bookmarks/bookmarklet'],
];

/**
 * Calls of wallabag's clients and catalog readers, which other documents describe (docs/api/wallabag.md, docs/use/opds.md).
 */
const OF_ANOTHER_API = /^\/(?:wallabag\/(?:api|oauth)|opds)(?:\/|$)/;

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Record<string, boolean> };
}

/** Returns the routes of Express, with `:name` converted to `{name}`. */
function mountedRoutes({ app }: TestApp): string[] {
  const { router } = app.getHttpAdapter().getInstance() as unknown as {
    router: { stack: Layer[] };
  };
  return router.stack.flatMap(({ route }) =>
    route === undefined || OF_ANOTHER_API.test(route.path)
      ? []
      : Object.keys(route.methods)
          .filter((method) => ['get', 'post'].includes(method))
          .map((method) => `${method} ${route.path.replaceAll(/[:*](\w+)/g, '{$1}')}`),
  );
}

/** Returns each member's schema, at any depth. */
function membersIn(node: unknown, place = ''): [place: string, schema: SchemaObject][] {
  if (typeof node !== 'object' || node === null) {
    return [];
  }
  return Object.entries(node).flatMap(([name, child]) => [
    ...(name === 'properties'
      ? Object.entries(child as Record<string, SchemaObject>).map(
          ([member, schema]): [string, SchemaObject] => [`${place}/${member}`, schema],
        )
      : []),
    ...membersIn(child, `${place}/${name}`),
  ]);
}

const says = (schema: SchemaObject): boolean =>
  ['description', '$ref', 'const', 'enum'].some((keyword) => keyword in schema);

describe('the API document', () => {
  let description: ApiDescription;
  let document: OpenAPIObject;

  beforeAll(async () => {
    document = JSON.parse(JSON.stringify(await describeService())) as OpenAPIObject;
    description = new ApiDescription(document);
  });

  it('equals docs/openapi.json (npm run openapi)', () => {
    expect(JSON.parse(readFileSync('docs/openapi.json', 'utf8'))).toEqual(document);
  });

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate({ ...structuredClone(document) });

    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(document.openapi).toMatch(/^3\.1\./);
  });

  it('defines exactly the components that it references', () => {
    const text = JSON.stringify(document);
    const pointed = new Set([...text.matchAll(/"#\/components\/([^"]+)"/g)].map(([, at]) => at));
    const there = Object.entries(document.components ?? {})
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, things]) => Object.keys(things as object).map((name) => `${kind}/${name}`));

    expect([...pointed].toSorted()).toEqual(there.toSorted());
  });

  it('has unique operation ids', () => {
    const ids = description.operations().map(({ operation }) => operation.operationId);

    expect(ids).toEqual([...new Set(ids)]);
  });

  it('describes each parameter and field', () => {
    const silent = membersIn(document.components?.schemas).filter(([, schema]) => !says(schema));

    expect(silent.map(([place]) => place)).toEqual([]);
  });

  it('contains each error of the catalogue that an operation can return', () => {
    const named = new Set(JSON.stringify(document.components?.responses).match(/`[a-z_]+`/g));

    const missing = Object.keys(ERROR_CATALOGUE).filter((code) => !named.has(`\`${code}\``));
    expect(missing).toEqual(OF_NO_OPERATION);
  });

  it('lists every error of the catalogue in its introduction', () => {
    const rows = Object.entries(ERROR_CATALOGUE).map(
      ([code, { status, xErrorCode }]) => `| \`${code}\` | ${status} | ${xErrorCode} |`,
    );

    expect(rows.filter((row) => !document.info.description?.includes(row))).toEqual([]);
  });

  it('describes each error as in docs/api/errors.md', () => {
    const page = readFileSync('docs/api/errors.md', 'utf8').replaceAll(/ +/g, ' ');

    const others = Object.values(ERROR_TEXTS).filter(({ meaning }) => !page.includes(meaning));
    expect(others).toEqual([]);
  });

  it('has examples of responses that match their schemas', () => {
    const answers = Object.entries(document.components?.responses ?? {}) as [
      string,
      ResponseObject,
    ][];
    const faults = answers.flatMap(([answer, { content = {} }]) =>
      Object.entries(content).flatMap(([type, { examples = {} }]: [string, MediaTypeObject]) =>
        Object.entries(examples).flatMap(([name, example]) =>
          description
            .faults(
              ['responses', answer, 'content', type, 'schema'],
              (example as { value: unknown }).value,
            )
            .map((fault) => `${answer} ${name} ${fault}`),
        ),
      ),
    );

    expect(faults).toEqual([]);
  });

  it('has examples of requests that match their schemas, except those that show an error', () => {
    const faults = description
      .calls()
      .filter(({ status }) => status < 400)
      .flatMap(({ schema, example, body }) =>
        description.faults(['schemas', schema], body).map((fault) => `${example} ${fault}`),
      );

    expect(faults).toEqual([]);
  });
});

describe('the running service', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await aTestApp();
  });
  afterAll(() => app.close());

  it('serves docs/openapi.json', async () => {
    const { body } = await request(app.url)
      .get('/openapi.json')
      .expect(200)
      .expect('content-type', /^application\/json/);

    expect(body).toEqual(JSON.parse(readFileSync('docs/openapi.json', 'utf8')));
  });

  it('mounts exactly the documented routes and the routes of pages', async () => {
    const description = new ApiDescription(await describeService());

    const described = description.operations().map(({ method, path }) => `${method} ${path}`);
    expect(mountedRoutes(app).toSorted()).toEqual([...described, ...FOR_PEOPLE].toSorted());
  });
});
