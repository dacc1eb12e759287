import { parsedUrl } from '../../lib/util/parsed-url.js';
import { check } from './environment.decorators.js';
import type { Variables } from './environment.js';

/** With this value of FETCH_PROXY, the service reads the variables HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
const FROM_ENVIRONMENT = 'env';
const PROTOCOLS = ['http:', 'https:', 'socks5:', 'socks5h:'];
const ADDRESS = 'is the address of a proxy, such as http://proxy.example.com:3128 or socks5://…';

/**
 * Variables for proxies that other programs read too. As in curl, a variable in lower case, such as `http_proxy`,
 * overrides the variable in upper case.
 */
export const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'] as const;
type ProxyVariable = (typeof PROXY_VARIABLES)[number];

/** The proxies for outgoing requests, by the protocol of the requested URL. */
export interface FetchProxies {
  readonly http: URL | undefined;
  readonly https: URL | undefined;
  /** The hosts that are requested without a proxy, in the notation of NO_PROXY. */
  readonly exceptions: readonly string[];
}

/** Accepts the address of a proxy, or `env` to use HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
export function FetchProxy(): PropertyDecorator {
  return check(
    'fetchProxy',
    `${ADDRESS}, or ${FROM_ENVIRONMENT} for ${PROXY_VARIABLES.join(', ')}`,
    (text) => text === FROM_ENVIRONMENT || proxyUrl(text) !== undefined,
  );
}

/**
 * Returns the proxies, or undefined if none is configured. Ignores invalid addresses, which `fetchProxyErrors` reports.
 */
export function fetchProxies(
  setting: string | undefined,
  variables: Variables,
): FetchProxies | undefined {
  if (setting === undefined) {
    return undefined;
  }
  if (setting !== FROM_ENVIRONMENT) {
    const url = proxyUrl(setting);
    return Object.freeze({ http: url, https: url, exceptions: [] });
  }
  const proxyIn = (name: ProxyVariable): URL | undefined =>
    proxyUrl(withScheme(valueOf(name, variables)));
  return Object.freeze({
    http: proxyIn('HTTP_PROXY'),
    https: proxyIn('HTTPS_PROXY'),
    exceptions: valueOf('NO_PROXY', variables)
      .split(/[\s,]+/)
      .filter((part) => part !== ''),
  });
}

/** Returns error messages for invalid proxy variables that the service reads with `FETCH_PROXY=env`. */
export const fetchProxyErrors = (setting: string | undefined, variables: Variables): string[] =>
  setting === FROM_ENVIRONMENT
    ? (['HTTP_PROXY', 'HTTPS_PROXY'] as const)
        .filter((name) => {
          const value = valueOf(name, variables);
          return value !== '' && proxyUrl(withScheme(value)) === undefined;
        })
        .map((name) => `${name}: ${ADDRESS}; FETCH_PROXY=${FROM_ENVIRONMENT} reads it`)
    : [];

function valueOf(name: ProxyVariable, variables: Variables): string {
  const lower = variables[name.toLowerCase()] ?? '';
  return (lower === '' ? (variables[name] ?? '') : lower).trim();
}

/**
 * Adds a scheme to an address that has none, such as `proxy.example.com:3128`. Other programs accept such addresses
 * too.
 */
const withScheme = (text: string): string =>
  text === '' || text.includes('://') ? text : `http://${text}`;

function proxyUrl(text: string): URL | undefined {
  const url = parsedUrl(text);
  return url !== undefined &&
    PROTOCOLS.includes(url.protocol) &&
    url.hostname !== '' &&
    ['', '/'].includes(url.pathname) &&
    url.search === '' &&
    url.hash === '' &&
    hasReadableCredentials(url)
    ? url
    : undefined;
}

function hasReadableCredentials({ username, password }: URL): boolean {
  try {
    return [username, password].every((part) => decodeURIComponent(part).length <= 255);
  } catch {
    return false;
  }
}
