import { type ArgumentMetadata, type PipeTransform, ValidationPipe } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';

import { ValidationFailedError } from './common.errors.js';
import { isWireRequest, readWireRequest } from './http/wire-members.js';

/**
 * Turns a body into the request class of its handler. Members that the class does not name are dropped; there
 * is no implicit conversion, which would turn `"0"` into true.
 */
export class RequestPipe implements PipeTransform {
  private readonly checked = new ValidationPipe({
    ...{ transform: true, whitelist: true },
    exceptionFactory: validationFailed,
  });

  transform(body: unknown, argument: ArgumentMetadata): unknown {
    const { metatype } = argument;
    return metatype !== undefined && isWireRequest(metatype)
      ? readWireRequest<object>(metatype, isMembers(body) ? body : {})
      : this.checked.transform(body, argument);
  }
}

/** Reads untrusted members into a request class, for code that runs before Nest's pipes do. */
export function parseRequest<T extends object>(requestClass: new () => T, members: object): T {
  if (isWireRequest(requestClass)) {
    return readWireRequest(requestClass, members);
  }
  removeConstructors(members);
  const request = plainToInstance(requestClass, members);
  const errors = validateSync(request, { whitelist: true });
  if (errors.length > 0) {
    throw validationFailed(errors);
  }
  return request;
}

const isMembers = (body: unknown): body is object => typeof body === 'object' && body !== null;

/** class-transformer calls what a nested object has as `constructor`; Nest's pipe takes these members out too. */
function removeConstructors(value: unknown): void {
  if (typeof value === 'object' && value !== null) {
    Reflect.deleteProperty(value, 'constructor');
    Object.values(value).forEach(removeConstructors);
  }
}

/** Every fault of a request in one refusal. */
export function validationFailed(errors: readonly ValidationError[]): ValidationFailedError {
  return new ValidationFailedError(
    errors.flatMap(({ constraints = {} }) => Object.values(constraints)),
  );
}
