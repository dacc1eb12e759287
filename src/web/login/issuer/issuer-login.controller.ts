import { Get, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';

import { IssuerUnavailableError, LoginRefusedError } from '../../../auth/auth.errors.js';
import type { User } from '../../../auth/entities/user.entity.js';
import { ExternalLogins } from '../../../auth/external/external-logins.js';
import { Issuer } from '../../../auth/external/issuer.js';
import { authTimeOf, personOf } from '../../../auth/external/issuer-claims.js';
import { originOf } from '../../../auth/session/device.js';
import { AccountLimit } from '../../../auth/throttle-limits.js';
import { Clock } from '../../../platform/common/clock.js';
import { ERROR_CATALOGUE } from '../../../platform/common/error.catalogue.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { reportsAnotherSite } from '../../../platform/http/request-origin.js';
import { innerUrlOf } from '../../../platform/http/sub-path.js';
import { message } from '../../../platform/i18n/message.js';
import { ThrottledBy, ThrottleGuard } from '../../../platform/throttling/throttle.guard.js';
import { Page } from '../../page.js';
import type { ShownPage } from '../../template.js';
import { ANY_FACTOR_STATE, Visitors } from '../../visitors.js';
import { IssuerConfirmations } from '../confirm/issuer-confirmations.js';
import { destinationOf, type Onward, onwardIn, pathTo } from '../onward.js';
import { isRefusal } from '../registration/registration-page.js';
import { SignInPage } from '../sign-in/sign-in-page.js';
import { type IssuerTrip, IssuerTrips } from './issuer-trips.js';

/**
 * Begins and completes logins with an OpenID Connect issuer. A login begins with a link instead of a form, because the
 * content security policy does not allow forms of this service to redirect to other sites.
 */
@Page('auth/oidc', { for: 'everyone' })
@UseGuards(ThrottleGuard)
export class IssuerLoginController {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly issuer: Issuer,
    private readonly trips: IssuerTrips,
    private readonly logins: ExternalLogins,
    private readonly visitors: Visitors,
    private readonly page: SignInPage,
    private readonly confirmations: IssuerConfirmations,
    private readonly clock: Clock,
  ) {}

  /**
   * Begins a login at the issuer. The issuer may log a person in without a question, so another site could log a browser
   * in without an action of the person (OWASP ASVS 5.0, 7.6.2). A request of another site therefore gets the login page.
   */
  @Get('start')
  @ThrottledBy([AccountLimit.IssuerPerAddress, AccountLimit.LinkPerAddress])
  async start(@Req() request: Request): Promise<ShownPage | Answer> {
    const onward = onwardIn(request.query);
    if ((await this.visitors.find(request)) !== undefined) {
      return redirect(destinationOf(onward));
    }
    if (reportsAnotherSite(request)) {
      return redirect(pathTo('/auth/login', onward));
    }
    try {
      const { url, secrets } = await this.issuer.begin();
      const invitation = textOf(request.query, 'invitation');
      this.trips.begin(request, { secrets, onward, invitation });
      return redirect(url.href);
    } catch (error) {
      return this.refuse(onward, error);
    }
  }

  /** Completes a login. Ignores the response of the issuer if no login is in progress in this browser. */
  @Get('callback')
  @ThrottledBy([AccountLimit.IssuerPerAddress])
  async finish(@Req() request: Request): Promise<ShownPage | Answer> {
    const trip = this.trips.end(request);
    if (trip === undefined) {
      const error = message('login.errors.issuerLate');
      return (await this.visitors.find(request)) === undefined
        ? this.page.show({ onward: {}, error, status: 403 })
        : redirect('/list');
    }
    if (trip.confirms !== undefined) {
      return this.confirmations.finish(
        request,
        await this.visitors.find(request, ANY_FACTOR_STATE),
        trip,
      );
    }
    try {
      const { user, provenAt } = await this.userOf(request, trip);
      await this.visitors.logInBy('issuer', request, user, provenAt);
      return redirect(destinationOf(trip.onward));
    } catch (error) {
      return this.refuse(trip.onward, error);
    }
  }

  /**
   * Redirects to the logout page of the issuer after a logout from this service. If the issuer has no logout page,
   * redirects to the login page.
   */
  @Get('logout')
  @ThrottledBy([AccountLimit.IssuerPerAddress])
  async logOut(): Promise<ShownPage | Answer> {
    try {
      const url = await this.issuer.logoutUrl();
      return redirect(url?.href ?? '/auth/login');
    } catch (error) {
      return this.refuse({}, error);
    }
  }

  /**
   * Returns the user who has logged in, and the time at which the user entered credentials at the issuer. Without that
   * time, the login proves nothing, unless the issuer never reports it (docs/decisions/0128).
   */
  private async userOf(
    request: Request,
    trip: IssuerTrip,
  ): Promise<{ readonly user: User; readonly provenAt: Date | null }> {
    const [, query = ''] = innerUrlOf(request).split('?', 2);
    const claims = await this.issuer.finish(query, trip.secrets);
    const visit = { invitation: trip.invitation, origin: originOf(request) };
    const user = await this.logins.byIssuer(personOf(claims, this.issuer.trustsEmail), visit);
    const now = this.clock.now();
    const unknown = (await this.issuer.reportsAuthTime()) ? null : now;
    return { user, provenAt: authTimeOf(claims, now) ?? unknown };
  }

  private async refuse(onward: Onward, error: unknown): Promise<ShownPage> {
    const isExpected =
      error instanceof LoginRefusedError ||
      error instanceof IssuerUnavailableError ||
      isRefusal(error);
    if (!isExpected) {
      throw error;
    }
    const { status } = ERROR_CATALOGUE[error.code];
    return this.page.show({ onward, error: error.advice, status });
  }
}
