import { UserAdministrationService } from '../../src/auth/user-administration.service.js';
import { AccountApi, bearer, type SignedIn } from './account-api.js';
import type { TestApp } from './test-app.js';

/** Kinds of access tokens. The first two are valid, each for a different user. */
export const TOKEN_STATES = [
  'valid',
  "another person's",
  'expired',
  'signed out',
  'of a disabled user',
  'none',
] as const;

type TokenState = (typeof TOKEN_STATES)[number];

export interface TokensInEveryState {
  readonly user: SignedIn;
  readonly other: SignedIn;
  readonly tokens: Readonly<Record<TokenState, string | undefined>>;
}

/** Creates a token in each state. Moves the clock. */
export async function tokensInEveryState(app: TestApp): Promise<TokensInEveryState> {
  const api = new AccountApi(app);
  const expired = await api.signedIn();
  app.clock.advance(app.config.accessTokenTtlSeconds + 1);
  const signedOut = await api.signedIn();
  await api.logout(bearer(signedOut.accessToken)).expect(204);
  const disabled = await api.signedIn();
  await app.app.get(UserAdministrationService).disable(disabled.email);
  const user = await api.signedIn();
  const other = await api.signedIn();
  return {
    user,
    other,
    tokens: {
      valid: user.accessToken,
      "another person's": other.accessToken,
      expired: expired.accessToken,
      'signed out': signedOut.accessToken,
      'of a disabled user': disabled.accessToken,
      none: undefined,
    },
  };
}
