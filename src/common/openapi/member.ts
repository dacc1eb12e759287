import type { SchemaObject } from 'openapi3-ts/oas31';

/** A member of a request as the API document shows it. */
export interface DocumentedMember {
  readonly name: string;
  readonly schema: SchemaObject;
  readonly isRequired: boolean;
}

/** What a declaration adds to the type of its member: the meaning, and what holds when it is absent. */
export interface About extends Pick<SchemaObject, 'description' | 'deprecated'> {
  readonly default?: string | number;
}

type Prototype = object;

const documented = new WeakMap<Prototype, DocumentedMember[]>();

/** Records what the API document says of a member; decorators that read or check a member apply it. */
export function Member(schema: SchemaObject, { isRequired = true } = {}): PropertyDecorator {
  return (prototype, name) => {
    const members = documented.get(prototype) ?? [];
    documented.set(prototype, [...members, { name: String(name), schema, isRequired }]);
  };
}

/** The members of a request class in the order of their declaration. */
export const membersOf = ({ prototype }: { prototype: Prototype }): readonly DocumentedMember[] =>
  documented.get(prototype) ?? [];
