import { IsOptional, IsString } from 'class-validator';

import { ParamSchema } from '../../platform/common/openapi.js';
import type { User } from '../entities/user.entity.js';
import type { TokenPair } from '../token.service.js';

/**
 * Credential 1 of POST /login: the email address and the password. Any text is accepted here, because malformed and
 * wrong credentials get the same error.
 */
export class LoginRequest {
  @ParamSchema({ type: 'string', description: 'Compared without case and surrounding space.' })
  @IsString()
  email!: string;

  @ParamSchema({ type: 'string', format: 'password', description: 'Taken as it is.' })
  @IsString()
  password!: string;

  @ParamSchema(
    {
      type: 'string',
      description:
        'Where the account has a second factor: the six digits that its app shows, or a recovery code. Each counts once.',
    },
    { isRequired: false },
  )
  @IsOptional()
  @IsString()
  otp?: string;
}

export class RefreshRequest {
  @ParamSchema({
    type: 'string',
    description: 'The newest one that the user was given; it is refused afterwards.',
  })
  @IsString()
  refresh_token!: string;
}

/** Response of POST /register. */
export interface UserResponse {
  readonly user_id: string;
  readonly name: string;
  readonly email: string;
}

/** Response of POST /login and POST /refresh (field names: docs/decisions/0010). */
export interface TokenPairResponse {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: 'Bearer';
  /** The lifetime of the access token in seconds. */
  readonly expires_in: number;
}

export const presentUser = ({ id, name, email }: User): UserResponse => ({
  user_id: id,
  name,
  email,
});

export const presentTokenPair = (pair: TokenPair): TokenPairResponse => ({
  access_token: pair.accessToken,
  refresh_token: pair.refreshToken,
  token_type: 'Bearer',
  expires_in: pair.expiresInSeconds,
});
