import { applyDecorators } from '@nestjs/common';
import { ValidateBy, type ValidationArguments } from 'class-validator';

import { Member } from '../common/openapi/member.js';
import { MAX_BYTES, MIN_BYTES, passwordFault } from './password-rules.js';

/** Refuses a password that is too short, too long for bcrypt, among the commonest, or the email address. */
export function IsAcceptablePassword(): PropertyDecorator {
  const faultOf = (value: unknown, args?: ValidationArguments): string | undefined =>
    typeof value === 'string' ? passwordFault(value, emailOf(args)) : 'must be a string';
  return applyDecorators(
    Member({
      type: 'string',
      format: 'password',
      maxLength: MAX_BYTES,
      description: `${MIN_BYTES} to ${MAX_BYTES} bytes in UTF-8, taken as they are; none of the commonest passwords, and not the email address.`,
    }),
    ValidateBy({
      name: 'isAcceptablePassword',
      validator: {
        validate: (value, args) => faultOf(value, args) === undefined,
        defaultMessage: (args) => `password ${faultOf(args?.value, args) ?? ''}`,
      },
    }),
  );
}

function emailOf(args: ValidationArguments | undefined): string {
  const request = args?.object;
  return request !== undefined && 'email' in request ? String(request.email) : '';
}
