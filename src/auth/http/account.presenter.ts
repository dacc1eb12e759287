import type { User } from '../entities/user.entity.js';
import type { TokenPair } from '../token-pair.js';

/** The answer of POST /register. */
export interface WireUser {
  readonly user_id: string;
  readonly name: string;
  readonly email: string;
}

/** The answer of POST /login and POST /refresh (member names: docs/decisions/0010). */
export interface WireTokenPair {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: 'Bearer';
  /** Seconds. */
  readonly expires_in: number;
}

export const presentUser = ({ id, name, email }: User): WireUser => ({ user_id: id, name, email });

export const presentTokenPair = (pair: TokenPair): WireTokenPair => ({
  access_token: pair.accessToken,
  refresh_token: pair.refreshToken,
  token_type: 'Bearer',
  expires_in: pair.expiresInSeconds,
});
