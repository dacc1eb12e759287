import { IsOptional, IsString } from 'class-validator';

import { ParamSchema } from '../../platform/common/openapi.js';
import type { User } from '../entities/user.entity.js';
import type { TokenPair } from '../token.service.js';

/**
 * The body of POST /login with an email address and a password. Any text is valid, so that
 * malformed credentials get the same error as wrong credentials.
 */
export class LoginRequest {
  @ParamSchema({
    type: 'string',
    description: 'The email address of the account. Case and surrounding spaces are ignored.',
  })
  @IsString()
  email!: string;

  @ParamSchema({
    type: 'string',
    format: 'password',
    description: 'The password, compared exactly as sent.',
  })
  @IsString()
  password!: string;

  @ParamSchema(
    {
      type: 'string',
      description:
        'The six digits that the authenticator app shows, or a recovery code. Required if the account has a second factor. Each code works only once.',
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
    description: 'The newest refresh token of the user. After the call, this token stops working.',
  })
  @IsString()
  refresh_token!: string;
}

/** The response of POST /register. */
export interface UserResponse {
  readonly user_id: string;
  readonly name: string;
  readonly email: string;
}

/** The response of POST /login and POST /refresh (field names: docs/decisions/0010). */
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
