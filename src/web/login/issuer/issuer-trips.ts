import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import type { IssuerSecrets } from '../../../auth/external/issuer.js';
import { Clock } from '../../../platform/common/clock.js';
import type { Onward } from '../onward.js';

declare module 'express-session' {
  interface SessionData {
    /**
     * The login at the issuer that is in progress. A second login in the same browser replaces it.
     */
    issuerTrip?: IssuerTrip & { readonly until: number };
  }
}

/** The data of a login with an issuer, stored until the issuer redirects the browser back to this service. */
export interface IssuerTrip {
  readonly secrets: IssuerSecrets;
  readonly onward: Onward;
  /** The token of an invitation. Empty if there is no invitation. */
  readonly invitation: string;
  /** The id of the logged-in user who proves the identity again. Undefined for a login. */
  readonly confirms?: string | undefined;
}

/** A login that has come back from the issuer, and the time at which it began, in seconds. */
export interface EndedTrip extends IssuerTrip {
  readonly begunAt: number;
}

const LASTS_SECONDS = 30 * 60;
/**
 * The maximum size in bytes of the JSON with the page to open after a login. The JSON is stored in
 * the session cookie, which can contain at most 3,800 base64 characters.
 */
const MAX_ONWARD_BYTES = 1500;
const LONGEST_INVITATION = 100;

/**
 * Returns true if the session cookie has room for the page to open after the login. If it has not,
 * a message asks the user to log in in another tab and to send the form again.
 */
export const fitsIntoTrip = (onward: Onward): boolean =>
  Buffer.byteLength(JSON.stringify(onward)) <= MAX_ONWARD_BYTES;

/** Stores the data of a login in the encrypted session cookie while the browser is at the issuer. */
@Injectable()
export class IssuerTrips {
  constructor(private readonly clock: Clock) {}

  begin({ session }: Request, { secrets, onward, invitation, confirms }: IssuerTrip): void {
    session.issuerTrip = {
      secrets,
      onward: fitsIntoTrip(onward) ? onward : {},
      invitation: invitation.length <= LONGEST_INVITATION ? invitation : '',
      confirms,
      until: this.clock.seconds() + LASTS_SECONDS,
    };
  }

  /**
   * Removes and returns the data of the login with the issuer. Returns undefined if no login is in progress, or if the
   * login took too long.
   */
  end({ session }: Request): EndedTrip | undefined {
    const { issuerTrip: trip } = session;
    delete session.issuerTrip;
    return trip !== undefined && this.clock.seconds() < trip.until
      ? { ...trip, begunAt: trip.until - LASTS_SECONDS }
      : undefined;
  }
}
