import { Injectable, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type {
  ComponentsObject,
  InfoObject,
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  PathsObject,
  ReferenceObject,
  ResponseObject,
  SchemaObject,
  SecuritySchemeObject,
  TagObject,
} from 'openapi3-ts/oas31';

import { ERROR_CATALOGUE } from '../../platform/common/error.catalogue.js';
import type { Operation } from '../../platform/common/openapi.js';
import { Config } from '../../platform/config/config.js';
import { subPathOf } from '../../platform/http/sub-path.js';
import { ERROR_TEXTS } from './error-texts.js';
import { queryParameters, requestBody, requestExamples, requestSchema } from './requests.js';
import { answersOf, ERROR_SCHEMAS, HEADERS } from './responses.js';
import { controllersIn, type Route, routesOf } from './routes.js';

/** Returns the OpenAPI document of the controllers, for a service below an optional sub-path (docs/decisions/0018). */
export function apiDocument(controllers: readonly Type<object>[], subPath = ''): OpenAPIObject {
  const routes = routesOf(controllers);
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: [{ url: subPath || '/' }],
    tags: TAGS,
    paths: pathsOf(routes),
    components: componentsOf([...new Set(routes.map(({ operation }) => operation))]),
  };
}

function pathsOf(routes: readonly Route[]): PathsObject {
  const paths: PathsObject = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operationAt(route) };
  }
  return paths;
}

/**
 * Describes one method and path of an endpoint. Refers to `components` for the descriptions that
 * all paths of the endpoint share.
 */
function operationAt(route: Route): OperationObject {
  const { path, mainPath, operation } = route;
  return {
    operationId: operationIdAt(route),
    tags: [operation.tag],
    summary: path === mainPath ? operation.summary : `${operation.summary} (alias of ${mainPath})`,
    description: operation.description,
    security: [...operation.security],
    ...requestAt(route),
    responses: Object.fromEntries(
      answersOf(operation).map(([status]) => [
        status,
        toComponent('responses', `${operation.id}.${status}`),
      ]),
    ),
  };
}

function operationIdAt({ method, path, mainPath, operation: { id, request } }: Route): string {
  const isMain = path === mainPath && (method === 'post' || request === undefined);
  return isMain ? id : `${id}.${method}${path.replaceAll('/', '.')}`;
}

/** Describes the parameters of a route. A GET request has the parameters in the query, a POST request in the body. */
function requestAt({ method, operation }: Route): Partial<OperationObject> {
  const { request, parameters = [], pathParameters = {} } = operation;
  const all = [
    ...Object.entries(pathParameters).map(pathParameter),
    ...parameters,
    ...(method === 'get' ? parametersOf(operation) : []),
  ];
  return {
    ...(all.length > 0 && { parameters: all }),
    ...(method === 'post' && request && { requestBody: requestBody(operation, request) }),
  };
}

const pathParameter = ([name, schema]: [string, SchemaObject]): ParameterObject => ({
  name,
  in: 'path',
  required: true,
  schema,
  description: schema.description ?? '',
});

const parametersOf = (operation: Operation): ReferenceObject[] =>
  queryParameters(operation).map(([name]) => toComponent('parameters', name));

const toComponent = (kind: string, name: string): ReferenceObject => ({
  $ref: `#/components/${kind}/${name}`,
});

const componentsOf = (operations: readonly Operation[]): ComponentsObject => ({
  schemas: {
    ...Object.fromEntries(operations.flatMap(({ schemas = {} }) => Object.entries(schemas))),
    ...Object.fromEntries(
      operations.flatMap(({ request }) =>
        request === undefined ? [] : [[request.name, requestSchema(request)]],
      ),
    ),
    ...ERROR_SCHEMAS,
  },
  parameters: Object.fromEntries(operations.filter(isByQuery).flatMap(queryParameters)),
  examples: Object.fromEntries(operations.flatMap(requestExamples)),
  headers: HEADERS,
  responses: Object.fromEntries(operations.flatMap(namedAnswers)),
  securitySchemes: SECURITY_SCHEMES,
});

/** Returns true if the endpoint also accepts GET with parameters in the query. All v3 endpoints accept GET. */
const isByQuery = ({ dialect }: Operation): boolean => dialect === 'v3';

const namedAnswers = (operation: Operation): [string, ResponseObject][] =>
  answersOf(operation).map(([status, answer]) => [`${operation.id}.${status}`, answer]);

/** Caches the API document of this process. The first request creates the document. */
@Injectable()
export class ApiDocument {
  private cached: Buffer | undefined;

  constructor(
    private readonly modules: ModulesContainer,
    private readonly config: Config,
  ) {}

  bytes(): Buffer {
    this.cached ??= Buffer.from(
      JSON.stringify(apiDocument(controllersIn(this.modules), subPathOf(this.config))),
    );
    return this.cached;
  }
}

const ERRORS = Object.entries(ERROR_TEXTS).map(([code, { meaning }]) => ({ code, meaning }));
const CATALOGUE: Readonly<Record<string, { status: number; xErrorCode: number }>> = ERROR_CATALOGUE;

const ERROR_TABLE = [
  '| code | status | X-Error-Code | meaning and fix |',
  '| --- | --- | --- | --- |',
  ...ERRORS.map(
    ({ code, meaning }) =>
      `| \`${code}\` | ${CATALOGUE[code]?.status ?? ''} | ${CATALOGUE[code]?.xErrorCode ?? ''} | ${meaning} |`,
  ),
].join('\n');

const DESCRIPTION = `A self-hosted reading list with the v3 reading-list API of Pocket.

**Accounts.** A user registers with an email address and a password. If registration is not open, the user also needs an invitation. A login returns an access token, a refresh token and a session cookie.

**Reading list.** Client applications read and change the reading list. Each call has a consumer key and the access token of the user. The consumer key identifies the application and has the permissions of the application. The paths begin with \`/v3\`, and \`/v1\` is an alias.

**Dialects.** Each consumer key has one dialect. The dialect \`standard\` follows the specification. The dialect \`classic\` behaves as the Pocket apps expect. The dialects differ in the \`status\` of get and send, in \`count\` and in \`action_results\`. The descriptions of these fields explain the differences.

**Methods.** The service accepts GET and POST. Outside the reading-list API, the service also accepts HEAD, and answers HEAD like GET without a body. In the reading-list API, HEAD returns 405 \`method_not_allowed\`, because a GET can change the list. All other methods return 405 everywhere. An unknown path returns 404 \`not_found\`.

**Headers.** In addition to the documented headers, every answer has \`Content-Security-Policy\`, \`Cross-Origin-Opener-Policy\`, \`Cross-Origin-Resource-Policy\`, \`Origin-Agent-Cluster\`, \`Referrer-Policy\`, \`X-Content-Type-Options\`, \`X-DNS-Prefetch-Control\`, \`X-Download-Options\`, \`X-Frame-Options\`, \`X-Permitted-Cross-Domain-Policies\` and \`X-XSS-Protection\`. Under TLS, every answer also has \`Strict-Transport-Security\`. Answers of \`/v3/snapshot\` have \`X-Snapshot-Limit\`, the maximum size of the HTML in bytes.

**Web clients.** Scripts of other origins can call the reading-list API and the account endpoints. The administrator can restrict the allowed origins (\`CORS_ORIGINS\`). A preflight request returns 204. The answer to a request with an \`Origin\` header has \`Access-Control-Allow-Origin\` and \`Access-Control-Expose-Headers\`. The service ignores the cookies of such requests.

**Errors.** Each error has a stable code. The error messages can change. The account endpoints return \`{statusCode, error, message, code}\`. The reading-list endpoints return \`{status: 0, error, code}\` and the headers \`X-Error\` and \`X-Error-Code\`.

${ERROR_TABLE}
`;

const INFO: InfoObject = {
  title: 'Satchel',
  version: '3',
  description: DESCRIPTION,
  license: { name: 'MIT', identifier: 'MIT' },
};

const TAGS: TagObject[] = [
  { name: 'Account', description: 'Registration, login, tokens and logout.' },
  { name: 'OAuth', description: 'Access of applications to the reading list of a user.' },
  { name: 'Reading list', description: 'Retrieve, add and change items.' },
  { name: 'Service', description: 'Health checks and the API document.' },
];

const SECURITY_SCHEMES: Readonly<Record<string, SecuritySchemeObject>> = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'session',
    description:
      'The encrypted session cookie of a login. Under TLS, the cookie is named `__Host-session`, or `__Secure-session` if the service is below a sub-path.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `access_token` of a login or refresh, in the header `Authorization`.',
  },
  consumerKey: {
    type: 'apiKey',
    in: 'query',
    name: 'consumer_key',
    description: 'The consumer key of the application, in the body or in the query.',
  },
  accessToken: {
    type: 'apiKey',
    in: 'query',
    name: 'access_token',
    description: 'The access token of the user, in the body or in the query.',
  },
};
