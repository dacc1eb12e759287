import fc from 'fast-check';
import type { SchemaObject } from 'openapi3-ts/oas31';

import type { ApiDescription } from '../api-document.js';
import { hostileValue } from './hostile-values.js';

/** Real values for a field of this name, such as the ids of items. */
export type KnownValues = (field: string) => readonly unknown[];

const TEXTS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  email: fc.emailAddress(),
  password: fc.string({ minLength: 8, maxLength: 72 }),
};

const ANY_TEXT = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.webUrl({ withQueryParameters: true }),
  fc.constantFrom('red', 'blue,red', '1', '0', 'https://example.com/a'),
);

/** Values that the schemas of the API document describe, mixed with real values and with values of wrong kinds. */
export class SchemaValues {
  /** Compiled once: the schema of an action has many branches. */
  private readonly made = new Map<object, fc.Arbitrary<unknown>>();

  constructor(
    private readonly description: ApiDescription,
    private readonly known: KnownValues,
  ) {}

  /** The fields of an object: some are missing, some are hostile. */
  fields(schema: SchemaObject): fc.Arbitrary<Record<string, unknown>> {
    const properties = Object.entries(this.description.resolved(schema).properties ?? {});
    const entries = properties.map(([name, property]): [string, fc.Arbitrary<unknown>] => [
      name,
      this.field(name, this.description.resolved<SchemaObject>(property)),
    ]);
    return fc.record(Object.fromEntries(entries), { requiredKeys: [] });
  }

  /** A value for a field: mostly one that fits, sometimes a hostile one. */
  field(name: string, schema: SchemaObject): fc.Arbitrary<unknown> {
    const known = this.known(name);
    return fc.oneof(
      { weight: 6, arbitrary: this.fitting(schema) },
      { weight: known.length === 0 ? 0 : 12, arbitrary: fc.constantFrom(...known, '') },
      { weight: 2, arbitrary: hostileValue },
    );
  }

  private fitting(schema: SchemaObject): fc.Arbitrary<unknown> {
    const made = this.made.get(schema) ?? this.make(schema);
    this.made.set(schema, made);
    return made;
  }

  private make(schema: SchemaObject): fc.Arbitrary<unknown> {
    if (schema.const !== undefined || schema.enum !== undefined) {
      const choices: readonly unknown[] = schema.enum ?? [schema.const];
      return fc.constantFrom(...choices);
    }
    const branches = schema.properties === undefined ? (schema.anyOf ?? schema.oneOf) : undefined;
    if (branches !== undefined) {
      const resolved = branches.map((one) => this.description.resolved<SchemaObject>(one));
      return fc.oneof(...resolved.map((one) => this.fitting(one)));
    }
    return fc.oneof(...[schema.type ?? 'object'].flat().map((type) => this.ofType(type, schema)));
  }

  private ofType(type: string, schema: SchemaObject): fc.Arbitrary<unknown> {
    const { minimum = 0, maximum = 2_000_000_000, format = '' } = schema;
    switch (type) {
      case 'object':
        return this.fields(schema);
      case 'array':
        return fc.array(
          schema.items === undefined
            ? ANY_TEXT
            : this.fitting(this.description.resolved<SchemaObject>(schema.items)),
          { maxLength: 4 },
        );
      case 'integer':
      case 'number':
        return fc.integer({ min: minimum, max: maximum });
      case 'boolean':
        return fc.boolean();
      default:
        return schema.pattern === undefined
          ? (TEXTS[format] ?? ANY_TEXT)
          : matching(schema.pattern);
    }
  }
}

const matching = (pattern: string): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(pattern, 'u'));
