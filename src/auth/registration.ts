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

import { MAX_NAME_LENGTH, VISIBLE } from '../common/clean-text.js';
import { ParamSchema } from '../common/openapi.js';
import { canonicalEmail } from './email-address.js';
import { MAX_BYTES, MIN_BYTES, passwordError } from './passwords.js';

/** Refuses a password that is too short, too long for bcrypt, among the commonest, or the email address. */
function IsAcceptablePassword(): PropertyDecorator {
  const errorOf = (value: unknown, args?: ValidationArguments): string | undefined =>
    typeof value === 'string' ? passwordError(value, emailOf(args)) : 'must be a string';
  return applyDecorators(
    ParamSchema({
      type: 'string',
      format: 'password',
      maxLength: MAX_BYTES,
      description: `${MIN_BYTES} to ${MAX_BYTES} bytes in UTF-8, taken as they are; not one of the commonest passwords, and not the email address.`,
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

function emailOf(args: ValidationArguments | undefined): string {
  const request = args?.object;
  return request !== undefined && 'email' in request ? String(request.email) : '';
}

/** Reads an email address into its canonical form, and refuses what is none. */
export function IsAccountEmail(): PropertyDecorator {
  const canonical = ({ value }: { value: unknown }): unknown =>
    typeof value === 'string' ? canonicalEmail(value) : value;
  return applyDecorators(Transform(canonical), IsEmail({ allow_utf8_local_part: false }));
}

/** The data of a new account: the body of POST /register, and the answers to the prompts of the command line. */
export class Registration {
  @ParamSchema({
    type: 'string',
    maxLength: MAX_NAME_LENGTH,
    description: 'What to call the person; has a visible character.',
  })
  @IsString()
  @MaxLength(MAX_NAME_LENGTH)
  @Matches(VISIBLE, { message: 'name must have a visible character' })
  name!: string;

  @ParamSchema({
    type: 'string',
    format: 'email',
    description: 'Identifies the person; compared without case and surrounding space.',
  })
  @IsAccountEmail()
  email!: string;

  @IsAcceptablePassword()
  password!: string;

  @ParamSchema(
    {
      type: 'string',
      description: 'From the link of an invitation; needed where registration is not open.',
    },
    { isRequired: false },
  )
  @IsOptional()
  @IsString()
  invitation?: string;
}
