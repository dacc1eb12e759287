import { Controller, Get, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { IssuerUnavailableError, LoginRefusedError } from '../../auth/auth.errors.js';
import type { User } from '../../auth/entities/user.entity.js';
import { ExternalLogins } from '../../auth/external/external-logins.js';
import { Issuer } from '../../auth/external/issuer.js';
import { personOf } from '../../auth/external/issuer-claims.js';
import { AccountLimit } from '../../auth/throttle-limits.js';
import { ERROR_CATALOGUE } from '../../platform/common/error.catalogue.js';
import { textOf } from '../../platform/common/request-fields.js';
import { Public } from '../../platform/http/public.js';
import { innerUrlOf } from '../../platform/http/sub-path.js';
import { ThrottledBy, ThrottleGuard } from '../../platform/throttling/throttle.guard.js';
import { PageErrorFilter } from '../page-error.filter.js';
import { goTo } from '../pages.js';
import { Visitors } from '../visitors.js';
import { type IssuerTrip, IssuerTrips } from './issuer-trips.js';
import { destinationOf, type Onward, onwardIn } from './onward.js';
import { isRefusal } from './registration-page.js';
import { SignInPage } from './sign-in-page.js';

interface RefusedLogin {
  readonly request: Request;
  readonly response: Response;
  readonly onward: Onward;
}

/**
 * Begins and ends logins with an OpenID Connect issuer. A login begins with a link instead of a form, because forms of
 * this service may not redirect to other sites.
 */
@Public()
@UseFilters(PageErrorFilter)
@UseGuards(ThrottleGuard)
@Controller('auth/oidc')
export class IssuerLoginController {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly issuer: Issuer,
    private readonly trips: IssuerTrips,
    private readonly logins: ExternalLogins,
    private readonly visitors: Visitors,
    private readonly page: SignInPage,
  ) {}

  @Get('start')
  @ThrottledBy([AccountLimit.IssuerPerAddress, AccountLimit.LinkPerAddress])
  async start(@Req() request: Request, @Res() response: Response): Promise<void> {
    const onward = onwardIn(request.query);
    if ((await this.visitors.find(request)) !== undefined) {
      goTo(response, destinationOf(onward));
      return;
    }
    try {
      const { url, secrets } = await this.issuer.begin();
      this.trips.begin(request, {
        secrets,
        onward,
        invitation: textOf(request.query, 'invitation'),
      });
      response.redirect(303, url.href);
    } catch (error) {
      await this.refuse({ request, response, onward }, error);
    }
  }

  /** Completes a login. Ignores the response of the issuer if this browser has not begun a login. */
  @Get('callback')
  @ThrottledBy([AccountLimit.IssuerPerAddress])
  async finish(@Req() request: Request, @Res() response: Response): Promise<void> {
    const trip = this.trips.end(request);
    if (trip === undefined && (await this.visitors.find(request)) !== undefined) {
      goTo(response, '/list');
      return;
    }
    const onward = trip?.onward ?? {};
    try {
      const user = await this.userOf(request, trip);
      await this.visitors.logInBy('issuer', request, user);
      goTo(response, destinationOf(onward));
    } catch (error) {
      await this.refuse({ request, response, onward }, error);
    }
  }

  /** Ends the session at the issuer after a logout at this service, if the issuer has a logout page. */
  @Get('logout')
  @ThrottledBy([AccountLimit.IssuerPerAddress])
  async logOut(@Req() request: Request, @Res() response: Response): Promise<void> {
    try {
      const url = await this.issuer.logoutUrl();
      if (url === undefined) {
        goTo(response, '/auth/login');
      } else {
        response.redirect(303, url.href);
      }
    } catch (error) {
      await this.refuse({ request, response, onward: {} }, error);
    }
  }

  private async userOf(request: Request, trip: IssuerTrip | undefined): Promise<User> {
    if (trip === undefined) {
      throw new LoginRefusedError('The login took too long, or was finished before: start again.');
    }
    const [, query = ''] = innerUrlOf(request).split('?', 2);
    const claims = await this.issuer.finish(query, trip.secrets);
    return this.logins.byIssuer(personOf(claims, this.issuer.trustsEmail), trip.invitation);
  }

  private async refuse(visit: RefusedLogin, error: unknown): Promise<void> {
    const isExpected =
      error instanceof LoginRefusedError ||
      error instanceof IssuerUnavailableError ||
      isRefusal(error);
    if (!isExpected) {
      throw error;
    }
    const { status } = ERROR_CATALOGUE[error.code];
    await this.page.show({ ...visit, error: error.message, status });
  }
}
