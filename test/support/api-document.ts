import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type {
  ExampleObject,
  OpenAPIObject,
  OperationObject,
  ReferenceObject,
  RequestBodyObject,
} from 'openapi3-ts/oas31';

/** A request that the API document describes and a test can send. */
export interface DocumentedCall {
  readonly operation: string;
  readonly path: string;
  /** Schema name of the request body. */
  readonly schema: string;
  readonly example: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly status: number;
}

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Forbids undocumented fields. Published response schemas allow them, so that fields can be added later. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(closed);
  }
  if (!isNode(value)) {
    return value;
  }
  const node = Object.fromEntries(
    Object.entries(value).map(([name, child]) => [name, closed(child)]),
  );
  const isOpen = node['type'] === 'object' && isNode(node['properties']);
  return isOpen ? { additionalProperties: false, ...node } : node;
}

const escaped = (segment: string): string => segment.replaceAll('~', '~0').replaceAll('/', '~1');

/** The API document with references resolved and schemas compiled. */
export class ApiDescription {
  private readonly ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(readonly document: OpenAPIObject) {
    this.ajv.addSchema({ $id: 'document', components: closed(document.components) });
  }

  /** Returns all operations with method and path. */
  operations(): { method: string; path: string; operation: OperationObject }[] {
    return Object.entries(this.document.paths ?? {}).flatMap(([path, item]) =>
      (['get', 'post'] as const).flatMap((method) => {
        const operation = item[method];
        return operation === undefined ? [] : [{ method, path, operation }];
      }),
    );
  }

  /** Returns the target of a reference, or the object itself if it is not a reference. */
  resolved<T extends object>(thing: T | ReferenceObject): T {
    const pointer = '$ref' in thing ? thing.$ref : undefined;
    const segments = pointer?.slice(2).split('/') ?? [];
    return pointer === undefined
      ? (thing as T)
      : (segments.reduce<unknown>((node, name) => (node as Node)[name], this.document) as T);
  }

  /** Returns the documented requests that have a JSON body. */
  calls(): DocumentedCall[] {
    return this.operations().flatMap(({ path, operation }) => {
      const body = operation.requestBody && this.resolved<RequestBodyObject>(operation.requestBody);
      const { schema, examples = {} } = body?.content['application/json'] ?? {};
      const name = (schema as ReferenceObject | undefined)?.$ref.split('/').at(-1) ?? '';
      return Object.entries(examples).map(([example, found]) => {
        const { value, 'x-status': status } = this.resolved<ExampleObject>(found);
        return {
          ...{ operation: operation.operationId ?? '', path, schema: name },
          ...{ example, body: value, status },
        };
      });
    });
  }

  /** Validates a value against the component at this path. Returns the validation errors. */
  faults(place: readonly string[], value: unknown): string[] {
    const validate = this.validatorOf(`document#/components/${place.map(escaped).join('/')}`);
    return validate(value)
      ? []
      : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ''}`);
  }

  /** Caches the validator: compiling takes longer than a thousand validations. */
  private validatorOf(reference: string): ValidateFunction {
    const validate = this.validators.get(reference) ?? this.ajv.compile({ $ref: reference });
    this.validators.set(reference, validate);
    return validate;
  }

  /** Returns the component name of the response for this operation and status. */
  answerName(path: string, method: string, status: number): string | undefined {
    const found = this.operations().find((one) => one.path === path && one.method === method);
    const answer = found?.operation.responses?.[String(status)] as { $ref: string } | undefined;
    return answer?.$ref.split('/').at(-1);
  }
}
