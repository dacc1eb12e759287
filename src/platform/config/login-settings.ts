import { parsedUrl } from '../../lib/util/parsed-url.js';
import { isLoopback } from './registration-mode.js';

/** The OpenID Connect issuer through which users log in. */
export interface IssuerSettings {
  readonly address: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The name of the issuer on the login page. */
  readonly name: string;
  /** True if Satchel accepts an email address that the issuer does not report as verified. */
  readonly trustsEmail: boolean;
}

/** The values of SECOND_FACTOR, and the users who must have a second factor (docs/decisions/0135). */
const SECOND_FACTORS = {
  optional: 'none',
  'required-for-administrators': 'administrators',
  required: 'everyone',
} as const;

export type SecondFactorChoice = keyof typeof SECOND_FACTORS;

export const SECOND_FACTOR_CHOICES = Object.keys(SECOND_FACTORS);

/** The users who must have a second factor. */
export type SecondFactorGroup = (typeof SECOND_FACTORS)[SecondFactorChoice];

/** The settings for logins (docs/decisions/0066). */
interface LoginSettings {
  readonly passwordLogin: boolean;
  readonly secondFactorRequiredFor: SecondFactorGroup;
  readonly issuer: IssuerSettings | undefined;
  readonly forwardAuthHeader: string | undefined;
}

/** The environment variables for logins. */
interface LoginVariables {
  readonly PUBLIC_URL?: string;
  readonly TRUST_PROXY?: string;
  readonly OIDC_ISSUER?: string;
  readonly OIDC_CLIENT_ID?: string;
  readonly OIDC_CLIENT_SECRET?: string;
  readonly OIDC_NAME?: string;
  readonly OIDC_TRUST_EMAIL?: string;
  readonly FORWARD_AUTH_HEADER?: string;
  readonly PASSWORD_LOGIN: string;
  readonly SECOND_FACTOR: SecondFactorChoice;
}

export const loginSettings = (variables: LoginVariables): LoginSettings => ({
  passwordLogin: variables.PASSWORD_LOGIN === 'on',
  secondFactorRequiredFor: SECOND_FACTORS[variables.SECOND_FACTOR],
  issuer: issuerSettings(variables),
  forwardAuthHeader: variables.FORWARD_AUTH_HEADER?.toLowerCase(),
});

function issuerSettings({
  OIDC_ISSUER,
  OIDC_CLIENT_ID = '',
  OIDC_CLIENT_SECRET = '',
  OIDC_NAME,
  OIDC_TRUST_EMAIL,
}: LoginVariables): IssuerSettings | undefined {
  if (OIDC_ISSUER === undefined) {
    return undefined;
  }
  const address = new URL(OIDC_ISSUER);
  return Object.freeze({
    address,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    name: OIDC_NAME ?? address.hostname,
    trustsEmail: OIDC_TRUST_EMAIL === 'on',
  });
}

/** Returns error messages for login variables that are missing or contradict each other. */
export const loginErrors = (variables: LoginVariables): string[] => [
  ...issuerErrors(variables),
  ...forwardAuthErrors(variables),
  ...passwordErrors(variables),
];

const ISSUER_VARIABLES = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;

function issuerErrors(variables: LoginVariables): string[] {
  const names = [...ISSUER_VARIABLES, 'OIDC_NAME', 'OIDC_TRUST_EMAIL'] as const;
  if (names.every((name) => variables[name] === undefined)) {
    return [];
  }
  const missing = ISSUER_VARIABLES.filter((name) => variables[name] === undefined);
  const errors = missing.map((name) => `${name}: is needed for the login with an issuer`);
  return isReturnAddress(variables.PUBLIC_URL)
    ? errors
    : [
        ...errors,
        'PUBLIC_URL: is needed for the login with an issuer, which leads back there; with https, or on this machine',
      ];
}

/**
 * Returns true if PUBLIC_URL is an address to which an OpenID Connect issuer can redirect after a login: an https
 * address, or an address of this machine. Also returns true for an invalid PUBLIC_URL, because another check reports
 * it.
 */
function isReturnAddress(text: string | undefined): boolean {
  if (text === undefined) {
    return false;
  }
  const { protocol, hostname } = parsedUrl(text) ?? { protocol: 'https:', hostname: '' };
  return protocol === 'https:' || isLoopback(hostname);
}

/**
 * With FORWARD_AUTH_HEADER, requires that TRUST_PROXY lists the addresses of the proxies. If TRUST_PROXY contained only
 * the number of proxies, any client that reaches the service directly could log in as any user.
 */
const forwardAuthErrors = ({ FORWARD_AUTH_HEADER, TRUST_PROXY = '' }: LoginVariables): string[] =>
  FORWARD_AUTH_HEADER !== undefined && /^\d?$/.test(TRUST_PROXY)
    ? ['TRUST_PROXY: lists the addresses of the proxies where FORWARD_AUTH_HEADER is set']
    : [];

const passwordErrors = ({
  PASSWORD_LOGIN,
  OIDC_ISSUER,
  FORWARD_AUTH_HEADER,
}: LoginVariables): string[] =>
  PASSWORD_LOGIN === 'off' && OIDC_ISSUER === undefined && FORWARD_AUTH_HEADER === undefined
    ? ['PASSWORD_LOGIN: is off only where OIDC_ISSUER or FORWARD_AUTH_HEADER is set']
    : [];
