import { Transform } from 'class-transformer';
import { IsInt, Max, Min, ValidateBy } from 'class-validator';
import ipaddr from 'ipaddr.js';

const MIN_SECRET_BYTES = 32;
/** Different characters; 32 random digits have fewer once in two hundred million times. */
const MIN_CHARACTERS = 6;
/** In characters. */
const MIN_PERIOD = 16;
const PROXY_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

const isText = (value: unknown): value is string => typeof value === 'string';

function check(name: string, message: string, holds: (text: string) => boolean): PropertyDecorator {
  const validate = (value: unknown): boolean => isText(value) && holds(value);
  return ValidateBy({ name, validator: { validate } }, { message });
}

/** Reads a whole number between two bounds, both allowed. */
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

export function UrlWith(...protocols: string[]): PropertyDecorator {
  return check(
    'urlWith',
    `is a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
  );
}

/** Accepts one secret, or two while they are rotated: the first is used, both are accepted (decision 0011). */
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

/** True for a short text twice or more, the last time perhaps not to its end. */
const repeatsItself = (text: string): boolean =>
  Array.from({ length: MIN_PERIOD - 1 }, (_, at) => at + 1).some(
    (period) => 2 * period <= text.length && text.startsWith(text.slice(period)),
  );

/** Accepts what Express calls `trust proxy`: a number of hops or a comma list of addresses. */
export function Proxies(): PropertyDecorator {
  const isProxy = (text: string): boolean =>
    isAddress(text) || isNetwork(text) || PROXY_NAMES.includes(text);
  return check(
    'proxies',
    'is the number of proxies in front of the service (1 to 9), or a comma list of their addresses',
    (text) => /^[1-9]$/.test(text) || text.split(',').every((part) => isProxy(part.trim())),
  );
}

/** Accepts a comma list of addresses and networks (CIDR). */
export function Networks(): PropertyDecorator {
  return check(
    'networks',
    'is a comma list of addresses and networks, such as 10.0.0.0/8',
    (text) => text.split(',').every((part) => isAddress(part.trim()) || isNetwork(part.trim())),
  );
}

/** Accepts a comma list of port numbers. */
export function Ports(): PropertyDecorator {
  const isPort = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535;
  return check('ports', 'is a comma list of numbers from 1 to 65535', (text) =>
    text.split(',').every((part) => isPort(part.trim())),
  );
}

/** In four parts: to others `10` is an address as well, and here a number of proxies that is too large. */
const isAddress = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);

/** Express refuses a network of all addresses, which would trust every client. */
const isNetwork = (text: string): boolean =>
  !text.endsWith('/0') &&
  (ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text));
