import Bowser from 'bowser';
import type { Request } from 'express';

import { clean, cut, withoutControls } from '../../lib/util/clean-text.js';
import { type Message, message, plainText } from '../../platform/i18n/message.js';
import type { Origin } from '../entities/origin.js';

/**
 * The maximum number of characters of the User-Agent header that are parsed. The device is named at
 * the beginning of the header.
 */
const MOST_READ = 512;
const MOST_SHOWN = 60;
const UNKNOWN = 'an unknown program';

/** The origin of a request. Parses the headers only if they are needed, because most requests store no origin. */
class RequestOrigin implements Origin {
  constructor(private readonly request: Pick<Request, 'get' | 'ip'>) {}

  get device(): string {
    return deviceOf(this.request);
  }

  get address(): string {
    return addressOf(this.request);
  }
}

export const originOf = (request: Pick<Request, 'get' | 'ip'>): Origin =>
  new RequestOrigin(request);

/** Returns a short name of the browser or program that sent a request, such as `Firefox on Linux` or `curl/8.5.0`. */
export function deviceOf(request: Pick<Request, 'get'>): string {
  const agent = withoutControls(clean((request.get('user-agent') ?? '').slice(0, MOST_READ)));
  return cut((browserIn(agent) ?? programIn(agent)).trim(), MOST_SHOWN) || UNKNOWN;
}

/**
 * Returns the name of the browser from a User-Agent header. Needs a parser library, because the
 * header usually lists the names of several browsers.
 */
function browserIn(agent: string): string | undefined {
  if (!agent.startsWith('Mozilla/')) {
    return undefined;
  }
  const { browser, os } = Bowser.parse(agent);
  return [browser.name, os.name].filter((name) => name !== undefined && name !== '').join(' on ');
}

/** Returns the first product name of a User-Agent header (RFC 9110 section 10.1.5). */
const programIn = (agent: string): string => agent.split(/[\s(]/, 1).join('');

/** Returns the stored name of a device for people. */
export const deviceName = (device: string): Message =>
  device === UNKNOWN ? message('sessions.unknownDevice') : plainText(device);

const IPV4_IN_IPV6 = /^::ffff:(?=[\d.]+$)/i;
const MOST_OF_AN_ADDRESS = 45;

/**
 * Returns the network address of the client. Removes control characters and truncates the text,
 * because a trusted proxy may send any text as the address.
 */
export const addressOf = ({ ip = '' }: Pick<Request, 'ip'>): string =>
  cut(withoutControls(clean(ip)), MOST_OF_AN_ADDRESS).replace(IPV4_IN_IPV6, '');
