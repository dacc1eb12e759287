import { ValidationFailedError } from '../common.errors.js';
import { isAbsent, type Reader, Unreadable } from './wire-reader.js';

/** How a request class reads one of its members. */
interface WireMember {
  readonly name: string;
  readonly read: Reader<unknown>;
  readonly isRequired: boolean;
}

interface HasPrototype {
  readonly prototype: object;
}

const declared = new WeakMap<object, WireMember[]>();

/** Has the class of the prototype read the member. */
export function declareWireMember(prototype: object, member: WireMember): void {
  declared.set(prototype, [...(declared.get(prototype) ?? []), member]);
}

/** True of a class whose members are read as v3 clients send them. */
export const isWireRequest = ({ prototype }: HasPrototype): boolean => declared.has(prototype);

/** Reads the members that the class declares, and drops the others. Throws ValidationFailedError, with every fault. */
export function readWireRequest<T extends object>(
  requestClass: HasPrototype & (new () => T),
  members: object,
): T {
  const values: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const member of declared.get(requestClass.prototype) ?? []) {
    const value = valueOf(
      member,
      Object.hasOwn(members, member.name) ? Reflect.get(members, member.name) : undefined,
    );
    if (value instanceof Unreadable) {
      faults.push(`${member.name} ${value.reason}`);
    } else {
      values[member.name] = value;
    }
  }
  if (faults.length > 0) {
    throw new ValidationFailedError(faults);
  }
  return Object.assign(new requestClass(), values);
}

function valueOf({ read, isRequired }: WireMember, sent: unknown): unknown {
  const value = isAbsent(sent) ? undefined : read(sent);
  return value === undefined && isRequired ? new Unreadable('is missing') : value;
}
