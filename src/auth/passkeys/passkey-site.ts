import { isIP } from 'node:net';

import type { Request } from 'express';

import { parsedUrl } from '../../lib/util/parsed-url.js';
import { ownAddress } from '../../platform/http/own-address.js';

/** The website for which passkeys are created. Browsers never use a passkey on another website. */
export interface PasskeySite {
  /** The domain of the website (the RP ID of WebAuthn). */
  readonly domain: string;
  readonly origin: string;
}

/**
 * Returns the website of a request: the host of PUBLIC_URL, or the host that the browser requested. Returns undefined
 * if the host is an IP address, because passkeys need a name.
 */
export function passkeySite(request: Request, publicUrl: URL | undefined): PasskeySite | undefined {
  const { origin, hostname: domain } = parsedUrl(ownAddress(request, publicUrl)) ?? {};
  return origin === undefined || domain === undefined || isAddress(domain)
    ? undefined
    : { origin, domain };
}

const isAddress = (hostname: string): boolean => isIP(hostname) !== 0 || hostname.startsWith('[');
