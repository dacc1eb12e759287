import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import {
  IsEmail,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  ValidateBy,
  type ValidationArguments,
} from 'class-validator';

import { MAX_NAME_LENGTH, VISIBLE } from '../lib/util/clean-text.js';
import { ParamSchema } from '../platform/common/openapi.js';
import { textOf } from '../platform/common/request-fields.js';
import { canonicalEmail } from './email-address.js';
import { MAX_BYTES, MIN_BYTES, passwordError } from './passwords.js';
import type { PasswordOwner } from './weak-passwords.js';

/**
 * Rejects a password that is too short, too long for bcrypt, common, repetitive, or similar to the name or the email
 * address of the account.
 */
function IsAcceptablePassword(): PropertyDecorator {
  const errorOf = (value: unknown, args?: ValidationArguments): string | undefined =>
    typeof value === 'string' ? passwordError(value, ownerOf(args))?.reason : 'must be a string';
  return applyDecorators(
    ParamSchema({
      type: 'string',
      format: 'password',
      maxLength: MAX_BYTES,
      description: `A password of ${MIN_BYTES} to ${MAX_BYTES} bytes in UTF-8, used exactly as sent. The password must not be a common password, a repetition of a few characters, or built from the name, the email address or the name of the service.`,
    }),
    ValidateBy({
      name: 'isAcceptablePassword',
      validator: {
        validate: (value, args) => errorOf(value, args) === undefined,
        defaultMessage: (args) => `password ${errorOf(args?.value, args) ?? ''}`,
      },
    }),
  );
}

function ownerOf(args: ValidationArguments | undefined): PasswordOwner {
  const [email, name] = ['email', 'name'].map((field) => textOf(args?.object, field));
  return { email: email ?? '', name: name ?? '' };
}

/** Converts an email address to its canonical form, and rejects an invalid address. */
export function IsAccountEmail(): PropertyDecorator {
  const canonical = ({ value }: { value: unknown }): unknown =>
    typeof value === 'string' ? canonicalEmail(value) : value;
  return applyDecorators(Transform(canonical), IsEmail({ allow_utf8_local_part: false }));
}

/** Rejects a name that is too long or has no visible character. */
export const IsAccountName = (): PropertyDecorator =>
  applyDecorators(
    IsString(),
    MaxLength(MAX_NAME_LENGTH),
    Matches(VISIBLE, { message: 'name must have a visible character' }),
  );

/** The data of a new account, from the body of POST /register or from the prompts of the command line. */
export class Registration {
  @ParamSchema({
    type: 'string',
    maxLength: MAX_NAME_LENGTH,
    description: 'The name of the user, with at least one visible character.',
  })
  @IsAccountName()
  name!: string;

  @ParamSchema({
    type: 'string',
    format: 'email',
    description:
      'The email address that identifies the user. Case and surrounding spaces are ignored.',
  })
  @IsAccountEmail()
  email!: string;

  @IsAcceptablePassword()
  password!: string;

  @ParamSchema(
    {
      type: 'string',
      description: 'The token in the link of an invitation. Required if registration is not open.',
    },
    { isRequired: false },
  )
  @IsOptional()
  @IsString()
  invitation?: string;
}
