import { type ArgumentMetadata, type PipeTransform, ValidationPipe } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';

import { ValidationFailedError } from '../platform/common/common.errors.js';
import { isObject } from '../platform/common/request-fields.js';
import { hasParams, readParams } from './params.js';

/**
 * Converts a request body to the request class of its handler, and drops undeclared parameters. Does not convert values
 * to the declared types, because such a conversion would change `"0"` to true.
 */
export class RequestPipe implements PipeTransform {
  private readonly checked = new ValidationPipe({
    transform: true,
    whitelist: true,
    exceptionFactory: validationFailed,
  });

  transform(body: unknown, argument: ArgumentMetadata): unknown {
    const { metatype } = argument;
    return metatype !== undefined && hasParams(metatype)
      ? readParams<object>(metatype, isObject(body) ? body : {})
      : this.checked.transform(body, argument);
  }
}

/**
 * Converts the untrusted parameters of a request to a request class. This function is for code that runs before Nest's
 * pipes.
 */
export function parseRequest<T extends object>(requestClass: new () => T, params: object): T {
  if (hasParams(requestClass)) {
    return readParams(requestClass, params);
  }
  removeConstructors(params);
  const request = plainToInstance(requestClass, params);
  const errors = validateSync(request, { whitelist: true });
  if (errors.length > 0) {
    throw validationFailed(errors);
  }
  return request;
}

/**
 * Removes the property `constructor` of every nested object, because class-transformer would call it. Nest's
 * ValidationPipe removes this property too.
 */
function removeConstructors(value: unknown): void {
  if (isObject(value)) {
    Reflect.deleteProperty(value, 'constructor');
    Object.values(value).forEach(removeConstructors);
  }
}

/** Returns one error that lists all invalid parameters of a request. */
function validationFailed(errors: readonly ValidationError[]): ValidationFailedError {
  return new ValidationFailedError(
    errors.flatMap(({ property: field, constraints = {} }) =>
      Object.values(constraints).map((text) => ({ field, text })),
    ),
  );
}
