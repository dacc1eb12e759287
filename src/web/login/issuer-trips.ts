import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import type { IssuerSecrets } from '../../auth/external/issuer.js';
import { Clock } from '../../platform/common/clock.js';
import type { Onward } from './onward.js';

declare module 'express-session' {
  interface SessionData {
    /** A login in progress at the issuer. A second login replaces it. */
    issuerTrip?: IssuerTrip & { readonly until: number };
  }
}

/** Data from the start of a login that the issuer's callback needs. */
export interface IssuerTrip {
  readonly secrets: IssuerSecrets;
  readonly onward: Onward;
  /** The token of an invitation; empty without one. */
  readonly invitation: string;
}

const LASTS_SECONDS = 30 * 60;
/** The cookie holds 3,800 characters of base64, which must also suffice for all other data. */
const MAX_ONWARD_BYTES = 1500;
const LONGEST_INVITATION = 100;

/** Returns whether a person's destination fits into the cookie. If not, the login happens in another tab. */
export const fitsIntoTrip = (onward: Onward): boolean =>
  Buffer.byteLength(JSON.stringify(onward)) <= MAX_ONWARD_BYTES;

/** Stores the data of a login in the encrypted cookie while the browser is at the issuer. */
@Injectable()
export class IssuerTrips {
  constructor(private readonly clock: Clock) {}

  begin({ session }: Request, { secrets, onward, invitation }: IssuerTrip): void {
    session.issuerTrip = {
      secrets,
      onward: fitsIntoTrip(onward) ? onward : {},
      invitation: invitation.length <= LONGEST_INVITATION ? invitation : '',
      until: this.clock.seconds() + LASTS_SECONDS,
    };
  }

  /** Returns the trip and removes it. Returns undefined if there is none, or if it took too long. */
  end({ session }: Request): IssuerTrip | undefined {
    const { issuerTrip: trip } = session;
    delete session.issuerTrip;
    return trip !== undefined && this.clock.seconds() < trip.until ? trip : undefined;
  }
}
