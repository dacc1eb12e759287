import { Transform } from 'class-transformer';
import { IsEmail, IsString, Matches, MaxLength } from 'class-validator';

import { canonicalEmail } from './email-address.js';
import { IsAcceptablePassword } from './is-acceptable-password.js';

const MAX_NAME_LENGTH = 200;

/** What a person gives to get an account: the body of POST /register, and what the command line asks for. */
export class Registration {
  @IsString()
  @MaxLength(MAX_NAME_LENGTH)
  @Matches(/[^\s\p{C}]/u, { message: 'name must have a visible character' })
  name!: string;

  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? canonicalEmail(value) : value,
  )
  @IsEmail({ allow_utf8_local_part: false })
  email!: string;

  @IsAcceptablePassword()
  password!: string;
}
