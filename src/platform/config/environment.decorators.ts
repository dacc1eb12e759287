import { Transform } from 'class-transformer';
import { isEmail, IsInt, Max, Min, ValidateBy } from 'class-validator';
import ipaddr from 'ipaddr.js';

import { parsedUrl } from '../../lib/util/parsed-url.js';
import { isLoopback } from './registration-mode.js';

const MIN_SECRET_BYTES = 32;
/**
 * The minimum number of distinct characters in a secret. Of 17 million random texts of 32 decimal digits, only one has
 * fewer distinct characters.
 */
const MIN_CHARACTERS = 6;
/** A secret is rejected if it consists of repetitions of a text shorter than this length. */
const MIN_PERIOD = 16;
const PROXY_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

const isText = (value: unknown): value is string => typeof value === 'string';

/** Creates a decorator that accepts a text if `holds` returns true for it. */
export function check(
  name: string,
  message: string,
  holds: (text: string) => boolean,
): PropertyDecorator {
  const validate = (value: unknown): boolean => isText(value) && holds(value);
  return ValidateBy({ name, validator: { validate } }, { message });
}

/** Accepts an integer from `min` to `max`. Both limits are included. */
export function WholeNumber(min: number, max: number): PropertyDecorator {
  const message = `is a whole number from ${min} to ${max}`;
  const read = ({ value }: { value: unknown }): unknown =>
    isText(value) && /^\d{1,9}$/.test(value) ? Number(value) : value;
  const decorators = [
    Transform(read),
    IsInt({ message }),
    Min(min, { message }),
    Max(max, { message }),
  ];
  return (target, key) => {
    decorators.forEach((decorate) => {
      decorate(target, key);
    });
  };
}

/** Accepts the number of processes that answer requests, or `auto` for the number of processor cores. */
export function WorkerCount(): PropertyDecorator {
  return check('workerCount', 'is a whole number from 1 to 256, or auto', (text) =>
    /^(?:auto|[1-9]\d?|1\d\d|2[0-4]\d|25[0-6])$/.test(text),
  );
}

export function UrlWith(...protocols: string[]): PropertyDecorator {
  return check(
    'urlWith',
    `is a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    (text) => hasProtocol(text, protocols),
  );
}

const hasProtocol = (text: string, protocols: readonly string[]): boolean =>
  protocols.includes(parsedUrl(text)?.protocol ?? '');

/**
 * Accepts the URL of a mail server in the format of nodemailer, with the user, the password, and options in the query
 * string.
 */
export function MailServer(): PropertyDecorator {
  return check(
    'mailServer',
    'is a URL such as smtp://user:password@smtp.example.com:587 or smtps://…, with : / @ and % of user and password written in percent',
    (text) => isMailServer(parsedUrl(text)),
  );
}

const isMailServer = (url: URL | undefined): boolean =>
  url !== undefined &&
  ['smtp:', 'smtps:'].includes(url.protocol) &&
  url.hostname !== '' &&
  ['', '/'].includes(url.pathname) &&
  url.hash === '';

/** Accepts the sender of mails: an email address with an optional display name. */
export function Sender(): PropertyDecorator {
  return check(
    'sender',
    'is an email address, such as satchel@example.com or Satchel <satchel@example.com>',
    (text) => !/\p{Cc}/u.test(text) && isEmail(text, { allow_display_name: true }),
  );
}

/**
 * Accepts a contact address for `security.txt` (RFC 9116). Rejects spaces and control characters, because the address
 * is on one line of the file.
 */
export function SecurityContact(): PropertyDecorator {
  return check(
    'securityContact',
    'is mailto: with an email address, or an address that begins with https://',
    (text) => /^[\x21-\x7e]+$/.test(text) && isContact(parsedUrl(text)),
  );
}

const isContact = (url: URL | undefined): boolean =>
  url?.protocol === 'mailto:' ? isEmail(url.pathname) : url?.protocol === 'https:';

/**
 * Accepts the address of an OpenID Connect issuer. Requires TLS unless the issuer is on this machine, because the
 * responses of the issuer decide who may log in.
 */
export function IssuerAddress(): PropertyDecorator {
  return check(
    'issuerAddress',
    'is the address of an OpenID Connect issuer that begins with https:// (http:// on this machine alone), without a user, a query or a fragment',
    (text) => isIssuer(parsedUrl(text)),
  );
}

const isIssuer = (url: URL | undefined): boolean =>
  url !== undefined &&
  (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) &&
  [url.username, url.password, url.search, url.hash].every((part) => part === '');

/**
 * Matches names of headers that cannot contain the logged-in user, because browsers or proxies use these headers for
 * other data.
 */
const OTHER_HEADERS =
  /^(?:accept|access|cache|content|if|proxy|sec|user-agent)(?:-|$)|^x-(?:real-ip$|forwarded-(?:for|host|port|prefix|proto|server)$)/i;

/** Accepts the name of a header with which a proxy sends the logged-in user. */
export function HeaderName(): PropertyDecorator {
  return check(
    'headerName',
    'is the name of a header in which the proxy puts the email address of the user, such as Remote-Email',
    (text) => /^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/i.test(text) && !OTHER_HEADERS.test(text),
  );
}

const PATH = /^(?:\/[\w.~-]+)*\/?$/;

/**
 * Accepts the public address of the service: a host, and a path if a proxy serves the service below
 * a path. Rejects a path that begins like a path of the service, such as `/list`. After the proxy
 * has removed `/list` from a request, the service could remove it a second time
 * (docs/decisions/0064).
 */
export function PublicAddress(): PropertyDecorator {
  return (target, key) => {
    UrlWith('http:', 'https:')(target, key);
    check(
      'publicAddress',
      'has no user, query or fragment; its path is of letters, digits and . _ ~ -, and does not begin with a path of the service itself, such as /list',
      (text) => {
        const url = parsedUrl(text);
        return url === undefined || isPublicAddress(url);
      },
    )(target, key);
  };
}

const isPublicAddress = ({ username, password, search, hash, pathname }: URL): boolean =>
  [username, password, search, hash].every((part) => part === '') &&
  PATH.test(pathname) &&
  !OWN_PATHS.has(pathname.split('/')[1]?.toLowerCase() ?? '');

/**
 * The first segments of the service's own paths, such as `v3` for `/v3/get`. Share addresses of other services that
 * Satchel imitates, such as `/bookmarks/new`, are not included (docs/decisions/0064).
 */
export const OWN_PATHS: ReadonlySet<string> = new Set([
  '.well-known',
  'a',
  'account',
  'admin',
  'api',
  'auth',
  'docs',
  'favicon.ico',
  'feeds',
  'health',
  'highlights',
  'images',
  'list',
  'login',
  'logout',
  'manifest.webmanifest',
  'offline',
  'opds',
  'openapi.json',
  'pages',
  'read',
  'ready',
  'refresh',
  'register',
  'save',
  'saves',
  'service-worker.js',
  ...['shared', 'snapshots', 'unsubscribe'],
  'v1',
  'v3',
  'v3beta',
  'wallabag',
  'welcome',
]);

/**
 * Accepts one secret, or two secrets during a rotation. New tokens and cookies use the first secret. Tokens and cookies
 * of both secrets are valid (docs/decisions/0011).
 */
export function Secrets(): PropertyDecorator {
  return check(
    'secrets',
    `is a secret of at least ${MIN_SECRET_BYTES} bytes that cannot be guessed, such as openssl rand -base64 32 gives, and no repeated text; or two with a comma between them`,
    (text) => {
      const secrets = text.split(',');
      return secrets.length <= 2 && secrets.every(isSecret);
    },
  );
}

const isSecret = (text: string): boolean =>
  Buffer.byteLength(text) >= MIN_SECRET_BYTES &&
  new Set(text).size >= MIN_CHARACTERS &&
  !repeatsItself(text);

/**
 * Returns true if the text consists of repetitions of a part that is shorter than `MIN_PERIOD`. The last repetition may
 * be incomplete.
 */
const repeatsItself = (text: string): boolean =>
  Array.from({ length: MIN_PERIOD - 1 }, (_, at) => at + 1).some(
    (period) => 2 * period <= text.length && text.startsWith(text.slice(period)),
  );

/**
 * Accepts `none`, or a comma-separated list of origins. An origin is a scheme, a host and an optional port, without a
 * path.
 */
export function Origins(): PropertyDecorator {
  return check(
    'origins',
    'is a comma list of origins such as https://reader.example.com, without a path or a slash at the end, or none; leave it out for any origin',
    (text) => text === 'none' || text.split(',').every((part) => isOrigin(part.trim())),
  );
}

/**
 * Returns true if the text is an origin. The class `URL` parses only http and https origins. It
 * returns no origin for other schemes, such as the schemes of apps in a web view.
 */
const isOrigin = (text: string): boolean =>
  /^https?:[^*]*$/.test(text)
    ? parsedUrl(text)?.origin === text
    : /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+(?::\d{1,5})?$/.test(text);

/** Accepts a value for Express' setting `trust proxy`: a number of proxies, or a comma-separated list of addresses. */
export function Proxies(): PropertyDecorator {
  const isProxy = (text: string): boolean =>
    isAddress(text) || isNetwork(text) || PROXY_NAMES.includes(text);
  return check(
    'proxies',
    'is the number of proxies in front of the service (1 to 9), or a comma list of their addresses',
    (text) => /^[1-9]$/.test(text) || text.split(',').every((part) => isProxy(part.trim())),
  );
}

/** Accepts a comma-separated list of IP addresses and networks in CIDR notation. */
export function Networks(): PropertyDecorator {
  return check(
    'networks',
    'is a comma list of addresses and networks, such as 10.0.0.0/8',
    (text) => text.split(',').every((part) => isAddress(part.trim()) || isNetwork(part.trim())),
  );
}

/** Accepts a comma-separated list of port numbers. */
export function Ports(): PropertyDecorator {
  const isPort = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535;
  return check('ports', 'is a comma list of numbers from 1 to 65535', (text) =>
    text.split(',').every((part) => isPort(part.trim())),
  );
}

/**
 * Returns true if the text is an IP address. An IPv4 address must have all four parts. Otherwise, `10` in TRUST_PROXY
 * would be accepted as an address, although it is a number of proxies that is too large.
 */
const isAddress = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);

/**
 * Returns true if the text is a network in CIDR notation. Rejects a network that contains all addresses, as Express
 * does, because the service would trust every client if TRUST_PROXY contained such a network.
 */
const isNetwork = (text: string): boolean =>
  !text.endsWith('/0') &&
  (ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text));
