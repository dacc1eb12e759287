import fc from 'fast-check';
import type { ParameterObject, RequestBodyObject, SchemaObject } from 'openapi3-ts/oas31';
import { FormData } from 'undici';

import type { ApiDescription } from '../api-document.js';
import type { FuzzWorld } from './fuzz-world.js';
import { hostileText, hostileValue } from './hostile-values.js';
import { SchemaValues } from './schema-values.js';

/** A route of the service. `documented` if the API document describes it. */
export interface Route {
  readonly method: string;
  /** A pattern with segments like `{id}`. */
  readonly path: string;
  readonly documented: boolean;
}

export interface FuzzedRequest {
  readonly route: Route;
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData | undefined;
}

type Fields = Readonly<Record<string, unknown>>;
type Encoding = 'query' | 'json' | 'form' | 'multipart';

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

const BROKEN_BODIES = fc.constantFrom(
  ...[
    '',
    '{',
    '[]',
    'null',
    '"',
    '{"a":1',
    '{"a":1}x',
    '\uFEFF{}',
    '%',
    'a=%ff&a=b',
    'a[b][c]=1&a=2',
  ],
  ...['--x\r\n', '--x--', '--x\r\nContent-Disposition: form-data\r\n\r\n1\r\n--x--', '\u0000'],
);
const BODY_TYPES = fc.constantFrom(
  ...['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
  ...[
    'multipart/form-data',
    'text/plain',
    'application/json; charset=utf-7',
    'application/xml',
    ';',
  ],
);

/** Makes requests to a route: fields that fit, real values of Ada and Bob, hostile values, and broken bodies. */
export class FuzzedRequests {
  private readonly values: SchemaValues;

  constructor(
    private readonly description: ApiDescription,
    private readonly world: FuzzWorld,
  ) {
    this.values = new SchemaValues(description, world.known);
  }

  to(route: Route): fc.Arbitrary<FuzzedRequest> {
    const path = this.path(route);
    const query = this.query(route);
    const mostly = fc
      .tuple(path, query, this.fields(route), encodingsOf(route))
      .map(([target, more, fields, encoding]) =>
        this.encoded(route, target + more, fields, encoding),
      );
    const broken = fc
      .tuple(path, BROKEN_BODIES, BODY_TYPES)
      .map(([target, body, type]) => this.withBody(route, target, body, { 'content-type': type }));
    return fc.oneof({ weight: 12, arbitrary: mostly }, { weight: 1, arbitrary: broken });
  }

  private path({ path }: Route): fc.Arbitrary<string> {
    const segments = path.split('/').map((segment) => {
      const names = [...segment.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
      const parts = names.map((name) =>
        fc.oneof(fc.constantFrom(...this.known(name)), hostileText),
      );
      return fc
        .tuple(...parts)
        .map((found) =>
          found.reduce(
            (text, part) => text.replace(/\{\w+\}/, () => encodedSegment(part) || 'none'),
            segment,
          ),
        );
    });
    return fc.tuple(...segments).map((found) => found.join('/').slice(0, 6000) || '/');
  }

  private known(name: string): string[] {
    const values = this.world.known(name).map(String);
    return values.length === 0 ? ['1', 'none'] : values;
  }

  /** A query beside the body, rarely: names of other fields, repeated names, names of prototypes. */
  private query({ path }: Route): fc.Arbitrary<string> {
    const name = fc.constantFrom(
      ...this.world.fieldNames,
      'since',
      'page',
      'perPage',
      '__proto__',
      'a[b]',
      'a[]',
    );
    const pair = fc
      .tuple(name, hostileText)
      .map(([key, value]) => `${key}=${encodedSegment(value).slice(0, 1500)}`);
    const weight = path.startsWith('/v3') ? 12 : 2;
    return fc.oneof(
      { weight, arbitrary: fc.constant('') },
      {
        weight: 1,
        arbitrary: fc.array(pair, { maxLength: 4 }).map((pairs) => `?${pairs.join('&')}`),
      },
    );
  }

  private fields(route: Route): fc.Arbitrary<Fields> {
    if (!route.documented) {
      const value = (name: string) => fc.oneof(fc.constantFrom(...this.known(name)), hostileValue);
      const pair = fc
        .constantFrom(...this.world.fieldNames)
        .chain((name) => fc.tuple(fc.constant(name), value(name)));
      const { fields } = this.world.credentialsFor(route.path);
      return fc
        .array(pair, { maxLength: 6 })
        .map((pairs) => ({ ...fields, ...Object.fromEntries(pairs) }));
    }
    const schema = this.schemaOf(route);
    const proofs = ['consumer_key', 'access_token'].filter(
      (name) => name in (schema.properties ?? {}),
    );
    const proof = fc.record(
      Object.fromEntries(proofs.map((name) => [name, fc.constantFrom(...this.world.known(name))])),
      { noNullPrototype: true },
    );
    const replaced = fc.oneof(
      { weight: 30, arbitrary: proof },
      { weight: 1, arbitrary: fc.constant({}) },
    );
    return fc
      .tuple(this.values.fields(schema), replaced)
      .map(([fields, real]) => ({ ...fields, ...real }));
  }

  private schemaOf({ path, method }: Route): SchemaObject {
    const found = this.description
      .operations()
      .find((one) => one.path === path && one.method === method);
    const body = found?.operation.requestBody;
    if (body !== undefined) {
      const [media] = Object.values(this.description.resolved<RequestBodyObject>(body).content);
      return this.description.resolved<SchemaObject>(media?.schema ?? {});
    }
    const parameters = (found?.operation.parameters ?? []).map((one) =>
      this.description.resolved<ParameterObject>(one),
    );
    const inQuery = parameters.filter((one) => one.in === 'query');
    const secured = found?.operation.security?.some((one) => 'consumerKey' in one) === true;
    const proofs = secured
      ? { consumer_key: { type: 'string' }, access_token: { type: 'string' } }
      : {};
    return {
      properties: {
        ...proofs,
        ...Object.fromEntries(inQuery.map((one) => [one.name, one.schema ?? {}])),
      },
    } as SchemaObject;
  }

  private encoded(route: Route, target: string, fields: Fields, encoding: Encoding): FuzzedRequest {
    const entries = Object.entries(fields).map(([name, value]): [string, string] => [
      name,
      textOf(value),
    ]);
    switch (encoding) {
      case 'json':
        return this.withBody(route, target, JSON.stringify(fields), {
          'content-type': 'application/json',
        });
      case 'form': {
        const type = { 'content-type': 'application/x-www-form-urlencoded' };
        return this.withBody(route, target, new URLSearchParams(entries).toString(), type);
      }
      case 'multipart': {
        const form = new FormData();
        entries.forEach(([name, value]) => {
          form.append(name, value);
        });
        return this.withBody(route, target, form, {});
      }
      default: {
        const query = new URLSearchParams(entries).toString().slice(0, 12_000);
        return this.withBody(
          route,
          target + (target.includes('?') ? '&' : '?') + query,
          undefined,
          {},
        );
      }
    }
  }

  private withBody(
    route: Route,
    target: string,
    body: FuzzedRequest['body'],
    type: Readonly<Record<string, string>>,
  ): FuzzedRequest {
    const proof =
      route.documented && route.path.startsWith('/v3')
        ? {}
        : this.world.credentialsFor(route.path).headers;
    const isRead = route.method === 'get' || route.method === 'head';
    return {
      ...{ route, target, method: route.method.toUpperCase() },
      headers: { ...proof, ...(isRead ? {} : type) },
      body: isRead ? undefined : body,
    };
  }
}

function encodingsOf({ method, path, documented }: Route): fc.Arbitrary<Encoding> {
  if (method === 'get' || method === 'head' || method === 'delete') {
    return fc.constant('query');
  }
  if (documented) {
    const isOfList = path.startsWith('/v') || path.startsWith('/api');
    return fc.constantFrom('json', 'form', isOfList ? 'multipart' : 'json');
  }
  const usual = path.startsWith('/wallabag/api') ? ('json' as const) : ('form' as const);
  return fc.constantFrom(...Array<Encoding>(8).fill(usual), 'json', 'form', 'multipart');
}

/** Percent-encodes a segment. Some escapes stay as they are: they may be malformed, or hide a slash. */
const encodedSegment = (text: string): string =>
  /^%[\da-f%]*$/i.test(text) ? text : encodeURIComponent(text.toWellFormed()).slice(0, 4000);
