import { IsString } from 'class-validator';

import { Member } from '../../common/openapi/member.js';

/** Proof 1 of POST /login. Any text will do here: what cannot be right is answered as what is wrong. */
export class LoginRequest {
  @Member({ type: 'string', description: 'Compared without case and surrounding space.' })
  @IsString()
  email!: string;

  @Member({ type: 'string', format: 'password', description: 'Taken as it is.' })
  @IsString()
  password!: string;
}
