import { Injectable, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type {
  ComponentsObject,
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  PathsObject,
  ReferenceObject,
  ResponseObject,
  SchemaObject,
} from 'openapi3-ts/oas31';

import type { Operation } from '../../platform/common/openapi.js';
import { Config } from '../../platform/config/config.js';
import { subPathOf } from '../../platform/http/sub-path.js';
import { INFO, SECURITY_SCHEMES, TAGS } from './about.js';
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
 * Describes one method and path of an endpoint. The descriptions that all paths of an endpoint share are in
 * `components`.
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
