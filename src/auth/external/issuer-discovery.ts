import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client';

import type { FetchProxies } from '../../platform/config/fetch-proxy.js';
import type { IssuerSettings } from '../../platform/config/login-settings.js';
import { proxiedFetch } from '../../platform/fetching/proxied-fetch.js';
import { codesOf } from './issuer-errors.js';

/**
 * The timeout of one request to the OpenID Connect issuer. It is short, because a person waits for
 * the login page.
 */
const TIMEOUT_SECONDS = 4;

type Method = 'client_secret_basic' | 'client_secret_post';

/**
 * Stores the authentication method that the OpenID Connect issuer accepts. Many issuers list two
 * methods in their metadata, but accept only the one that the client is registered with.
 */
export class ClientAuthentication {
  /**
   * True if Satchel uses the other authentication method, because the issuer has rejected the first
   * one.
   */
  isSwitched = false;

  /**
   * Selects an authentication method from those in the issuer's metadata. The default is
   * `client_secret_basic` (OpenID Connect Discovery 1.0, section 3).
   */
  static methodFor(methods: readonly string[] = ['client_secret_basic']): Method {
    return methods.includes('client_secret_basic') ? 'client_secret_basic' : 'client_secret_post';
  }

  for(secret: string): ClientAuth {
    return (server, ...others) => {
      const first = ClientAuthentication.methodFor(server.token_endpoint_auth_methods_supported);
      const isBasic = (first === 'client_secret_basic') !== this.isSwitched;
      (isBasic ? ClientSecretBasic(secret) : ClientSecretPost(secret))(server, ...others);
    };
  }
}

/** Fetches the metadata of the OpenID Connect issuer. */
export async function discover(
  { address, clientId, clientSecret }: IssuerSettings,
  authentication: ClientAuthentication,
  proxies: FetchProxies | undefined,
): Promise<Configuration> {
  const isPlain = address.protocol === 'http:';
  const at = (server: URL): Promise<Configuration> =>
    discovery(server, clientId, clientSecret, authentication.for(clientSecret), {
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- for an issuer on this machine, which the configuration allows
      execute: isPlain ? [allowInsecureRequests, checkSignatures] : [checkSignatures],
      timeout: TIMEOUT_SECONDS,
      ...(proxies !== undefined && { [customFetch]: proxiedFetch(proxies) }),
    });
  try {
    return await at(address);
  } catch (error) {
    if (!codesOf(error).includes('OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')) {
      throw error;
    }
    return at(withOtherEnd(address)).catch(() => {
      throw error;
    });
  }
}

/**
 * Requires that ID tokens are signed with a key of the issuer. Without this, openid-client trusts each ID token that
 * comes from the token endpoint (OpenID Connect Core 3.1.3.7). An issuer that signs only with the client secret (HS256)
 * is exempt, because openid-client cannot check such signatures.
 */
function checkSignatures(configuration: Configuration): void {
  const { id_token_signing_alg_values_supported: algorithms = ['RS256'] } =
    configuration.serverMetadata();
  if (algorithms.some((algorithm) => !algorithm.startsWith('HS'))) {
    enableNonRepudiationChecks(configuration);
  }
}

/**
 * Adds or removes the trailing slash of the issuer's address. The issuer's metadata may contain the
 * address in the other form.
 */
function withOtherEnd(address: URL): URL {
  const other = new URL(address);
  other.pathname = address.pathname.endsWith('/')
    ? address.pathname.slice(0, -1)
    : `${address.pathname}/`;
  return other;
}
