import { Transform } from 'class-transformer';
import { IsEmail, IsString, Matches, MaxLength } from 'class-validator';

import { Member } from '../common/openapi/member.js';
import { canonicalEmail } from './email-address.js';
import { IsAcceptablePassword } from './is-acceptable-password.js';

const MAX_NAME_LENGTH = 200;

/** What a person gives to get an account: the body of POST /register, and what the command line asks for. */
export class Registration {
  @Member({
    type: 'string',
    maxLength: MAX_NAME_LENGTH,
    description: 'What to call the person; has a visible character.',
  })
  @IsString()
  @MaxLength(MAX_NAME_LENGTH)
  @Matches(/[^\s\p{C}]/u, { message: 'name must have a visible character' })
  name!: string;

  @Member({
    type: 'string',
    format: 'email',
    description: 'Identifies the person; compared without case and surrounding space.',
  })
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? canonicalEmail(value) : value,
  )
  @IsEmail({ allow_utf8_local_part: false })
  email!: string;

  @IsAcceptablePassword()
  password!: string;
}
