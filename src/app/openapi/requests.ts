import type {
  ContentObject,
  ExampleObject,
  ExamplesObject,
  ParameterObject,
  ReferenceObject,
  RequestBodyObject,
  SchemaObject,
} from 'openapi3-ts/oas31';

import {
  type CallRequest,
  type DocumentedParam,
  type Operation,
  ref,
} from '../../platform/common/openapi.js';

/** Example values of the two credentials of the v3 API. */
const CREDENTIALS = {
  consumer_key: '1-0123456789abcdef01234567',
  access_token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.signature',
};

/**
 * Returns true if the parameter is a credential. The security schemes of the API document describe
 * credentials, so the list of query parameters omits them.
 */
const isCredential = ({ name }: DocumentedParam): boolean => Object.hasOwn(CREDENTIALS, name);

export const requestSchema = ({ params }: CallRequest): SchemaObject => ({
  type: 'object',
  properties: Object.fromEntries(params.map(({ name, schema }) => [name, schema])),
  required: params.filter(({ isRequired }) => isRequired).map(({ name }) => name),
});

/** Returns an example value for each credential that is a parameter of the request. */
const credentialsIn = (request: CallRequest | undefined): Partial<typeof CREDENTIALS> =>
  Object.fromEntries(
    Object.entries(CREDENTIALS).filter(([name]) =>
      request?.params.some((param) => param.name === name),
    ),
  );

/**
 * Returns the example requests of an endpoint. Each example contains the credentials that the request needs, so a
 * client can send the example unchanged. `x-status` is the status of the response.
 */
export const requestExamples = ({
  id,
  dialect,
  request,
  answer,
}: Operation): [name: string, ExampleObject][] =>
  Object.entries(request?.examples ?? {}).map(([name, { summary, body, status }]) => [
    `${id}.${name}`,
    {
      summary,
      value: { ...(dialect === 'v3' && credentialsIn(request)), ...body },
      'x-status': status ?? answer.status,
    },
  ]);

/** Describes the format of a request body. All endpoints accept JSON, and the v3 endpoints also accept form fields. */
export function requestBody(operation: Operation, request: CallRequest): RequestBodyObject {
  const schema = ref(request.name);
  const examples = examplesOf(operation);
  const fields = { schema, encoding: encodingOf(request) };
  const content: ContentObject = {
    'application/json': { schema, examples },
    ...(operation.dialect === 'v3' && {
      'application/x-www-form-urlencoded': { ...fields, examples },
      'multipart/form-data': fields,
    }),
  };
  return { description: request.description, required: request.isOptional !== true, content };
}

const examplesOf = (operation: Operation): ExamplesObject =>
  Object.fromEntries(
    requestExamples(operation).map(([name]) => [
      name,
      { $ref: `#/components/examples/${name}` } satisfies ReferenceObject,
    ]),
  );

const hasArray = ({ schema: { type } }: DocumentedParam): boolean =>
  Array.isArray(type) && type.includes('array');
const isJson = (param: DocumentedParam): boolean =>
  hasArray(param) && '$ref' in (param.schema.items ?? {});

/**
 * Describes how form fields contain arrays. An array of objects is JSON text, and an array of names is a
 * comma-separated list.
 */
const encodingOf = ({ params }: CallRequest): Record<string, object> =>
  Object.fromEntries(
    params
      .filter(hasArray)
      .map((param) => [
        param.name,
        isJson(param) ? { contentType: 'application/json' } : { style: 'form', explode: false },
      ]),
  );

/**
 * Describes the query parameters of an endpoint. The credentials are left out, because the security schemes describe
 * the credentials.
 */
export const queryParameters = ({ id, request }: Operation): [name: string, ParameterObject][] =>
  (request?.params ?? [])
    .filter((param) => !isCredential(param))
    .map((param) => [`${id}.${param.name}`, queryParameter(param)]);

function queryParameter(param: DocumentedParam): ParameterObject {
  const { name, isRequired } = param;
  const { description = '', ...schema } = param.schema;
  const parameter = { name, in: 'query', required: isRequired, description } as const;
  if (isJson(param)) {
    return { ...parameter, content: { 'application/json': { schema } } };
  }
  return { ...parameter, schema, ...(hasArray(param) && { style: 'form', explode: false }) };
}
