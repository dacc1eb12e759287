import { Injectable } from '@nestjs/common';

import { ForwardAuth } from '../../auth/external/forward-auth.js';
import { Issuer } from '../../auth/external/issuer.js';
import { Config } from '../../platform/config/config.js';
import { fitsIntoTrip } from './issuer/issuer-trips.js';
import { type Onward, pathTo } from './onward.js';

/** The login options that a page offers to a visitor. */
export interface LoginWays {
  readonly byPassword: boolean;
  readonly byProxy: boolean;
  /** The login with an issuer. Undefined if no issuer is configured. */
  readonly issuer: IssuerWay | undefined;
  /**
   * True if a redirect to the login would lose the data of this page, such as a kept form. The
   * person must then log in in another tab, and continue on this page.
   */
  readonly isInNewTab: boolean;
}

interface IssuerWay {
  readonly name: string;
  readonly href: string;
  readonly isReachable: boolean;
}

interface Carried {
  readonly onward: Onward;
  readonly isFormKept?: boolean;
  readonly invitation?: string;
}

/** Determines which login options a page offers. */
@Injectable()
export class LoginWaysOfPages {
  constructor(
    private readonly config: Config,
    private readonly issuer: Issuer,
    private readonly forwardAuth: ForwardAuth,
  ) {}

  async of({ onward, isFormKept = false, invitation = '' }: Carried): Promise<LoginWays> {
    const { name } = this.issuer;
    const isInNewTab = isFormKept || !fitsIntoTrip(onward);
    const path = pathTo('/auth/oidc/start', isInNewTab ? {} : onward);
    return {
      byPassword: this.config.passwordLogin,
      byProxy: this.forwardAuth.isOn,
      isInNewTab: isInNewTab && (name !== undefined || this.forwardAuth.isOn),
      issuer:
        name === undefined
          ? undefined
          : {
              name,
              href: withInvitation(path, invitation),
              isReachable: await this.issuer.isReachable(),
            },
    };
  }
}

function withInvitation(path: string, invitation: string): string {
  const query = new URLSearchParams({ invitation }).toString();
  return invitation === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;
}
