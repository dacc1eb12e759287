import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import type { IssuerSecrets } from '../../auth/external/issuer.js';
import { Clock } from '../../platform/common/clock.js';
import type { Onward } from './onward.js';

declare module 'express-session' {
  interface SessionData {
    /** A login that goes on at the issuer; a second one takes its place. */
    issuerTrip?: IssuerTrip & { readonly until: number };
  }
}

/** What the callback of the issuer needs of the beginning. */
export interface IssuerTrip {
  readonly secrets: IssuerSecrets;
  readonly onward: Onward;
  /** The token of an invitation; empty without one. */
  readonly invitation: string;
}

const LASTS_SECONDS = 30 * 60;
/** The cookie takes 3,800 characters of base64, which have to do for all else too. */
const MAX_ONWARD_BYTES = 1500;
const LONGEST_INVITATION = 100;

/** Tells whether what a person goes on to can wait in the cookie; where not, the login happens in another tab. */
export const fitsIntoTrip = (onward: Onward): boolean =>
  Buffer.byteLength(JSON.stringify(onward)) <= MAX_ONWARD_BYTES;

/** Remembers in the encrypted cookie what belongs to a login, while the browser is at the issuer. */
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

  /** The trip, once; undefined where none is under way, or it took too long. */
  end({ session }: Request): IssuerTrip | undefined {
    const { issuerTrip: trip } = session;
    delete session.issuerTrip;
    return trip !== undefined && this.clock.seconds() < trip.until ? trip : undefined;
  }
}
