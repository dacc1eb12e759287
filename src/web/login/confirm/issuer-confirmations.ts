import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { IssuerUnavailableError, LoginRefusedError } from '../../../auth/auth.errors.js';
import type { User } from '../../../auth/entities/user.entity.js';
import { ExternalLogins } from '../../../auth/external/external-logins.js';
import { Issuer } from '../../../auth/external/issuer.js';
import { authTimeOf, CLOCK_TOLERANCE_MS, personOf } from '../../../auth/external/issuer-claims.js';
import { originOf } from '../../../auth/session/device.js';
import { Sessions } from '../../../auth/session/sessions.js';
import { Clock } from '../../../platform/common/clock.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { innerUrlOf } from '../../../platform/http/sub-path.js';
import { type Message, message } from '../../../platform/i18n/message.js';
import type { ShownPage } from '../../template.js';
import { type EndedTrip, IssuerTrips } from '../issuer/issuer-trips.js';
import { destinationOf, type Onward, onwardIn } from '../onward.js';
import { confirmError, ConfirmPage } from './confirm-page.js';

/** Lets users prove their identity again with a new login at the issuer (docs/decisions/0128). */
@Injectable()
export class IssuerConfirmations {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly issuer: Issuer,
    private readonly trips: IssuerTrips,
    private readonly logins: ExternalLogins,
    private readonly sessions: Sessions,
    private readonly page: ConfirmPage,
    private readonly clock: Clock,
  ) {}

  async start(request: Request, user: User): Promise<ShownPage | Answer> {
    const onward = onwardIn(request.query);
    try {
      const { url, secrets } = await this.issuer.begin(true);
      this.trips.begin(request, { secrets, onward, invitation: '', confirms: user.id });
      return redirect(url.href);
    } catch (error) {
      return this.refuse(user, onward, adviceOf(error));
    }
  }

  /** Completes the login at the issuer. `user` is the user of the session. */
  async finish(
    request: Request,
    user: User | undefined,
    trip: EndedTrip,
  ): Promise<ShownPage | Answer> {
    const { onward } = trip;
    if (user === undefined || user.id !== trip.confirms) {
      return redirect(destinationOf(onward));
    }
    try {
      const problem = await this.problemOf(request, user, trip);
      if (problem !== undefined) {
        return await this.refuse(user, onward, problem);
      }
    } catch (error) {
      return this.refuse(user, onward, adviceOf(error));
    }
    await this.sessions.confirm(request, user);
    return redirect(destinationOf(onward));
  }

  /** Returns the reason why the login at the issuer proves nothing. */
  private async problemOf(
    request: Request,
    user: User,
    { secrets, begunAt }: EndedTrip,
  ): Promise<Message | undefined> {
    const [, query = ''] = innerUrlOf(request).split('?', 2);
    const claims = await this.issuer.finish(query, secrets);
    const person = personOf(claims, this.issuer.trustsEmail);
    if (!(await this.logins.isUser(person, user, originOf(request)))) {
      return message('confirm.errors.otherAccount');
    }
    const authTime = authTimeOf(claims, this.clock.now());
    const earliestMs = begunAt * 1000 - CLOCK_TOLERANCE_MS;
    return authTime === undefined || authTime.getTime() < earliestMs
      ? message('confirm.errors.notRepeated', { issuer: this.issuer.name ?? '' })
      : undefined;
  }

  private refuse(user: User, onward: Onward, text: Message): Promise<ShownPage> {
    return this.page.show(user, { onward, errors: [confirmError(text)], status: 403 });
  }
}

/** Returns the message about a login that the issuer has refused. Rethrows unexpected errors. */
function adviceOf(error: unknown): Message {
  if (error instanceof LoginRefusedError || error instanceof IssuerUnavailableError) {
    return error.advice;
  }
  throw error;
}
