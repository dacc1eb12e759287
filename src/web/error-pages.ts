import { Injectable } from '@nestjs/common';
import type { Request, RequestHandler, Response } from 'express';

import type { User } from '../auth/entities/user.entity.js';
import { sessionMiddleware } from '../auth/session/session.middleware.js';
import { Sessions } from '../auth/session/sessions.js';
import { Clock } from '../platform/common/clock.js';
import { ERROR_CATALOGUE } from '../platform/common/error.catalogue.js';
import { Config } from '../platform/config/config.js';
import type { ErrorReport } from '../platform/http/error-report.js';
import { message } from '../platform/i18n/message.js';
import { errorText } from './error-texts.js';
import { messagePage } from './message-page.js';
import { Pages } from './pages.js';
import { Appearances } from './reader/appearance/appearance.js';

/** Shows errors as pages with links to the other pages of the web UI. */
@Injectable()
export class ErrorPages {
  private readonly session: RequestHandler;

  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly pages: Pages,
    private readonly sessions: Sessions,
    private readonly appearances: Appearances,
    config: Config,
    clock: Clock,
  ) {
    this.session = sessionMiddleware(config, clock);
  }

  async show(error: ErrorReport, request: Request, response: Response): Promise<void> {
    const { status } = ERROR_CATALOGUE[error.code];
    const text = errorText(error);
    const heading = message(`errors.headings.${status}`);
    // The user is not looked up for an error of the service, because the database may be the cause.
    const isKnown = status < 500 && (await this.isUser(request, response).catch(() => false));
    const page = isKnown
      ? messagePage.page({ heading, text, section: '' }, { status, kind: 'reader' })
      : messagePage.page({ heading, text, isForVisitor: true }, { status });
    this.pages.render(page, request, response).sendTo(response);
  }

  /** Returns true if a user is logged in, and applies the appearance settings of this user. */
  private async isUser(request: Request, response: Response): Promise<boolean> {
    const user = await this.userOf(request, response);
    if (user !== undefined) {
      this.pages.dress(response, await this.appearances.of(user.id));
    }
    return user !== undefined;
  }

  /** Finds the user of the session. Reads the session first if the address has no page, and thus no session. */
  private async userOf(request: Request, response: Response): Promise<User | undefined> {
    await new Promise<unknown>((resolve) => {
      void this.session(request, response, resolve);
    });
    return this.sessions.find(request);
  }
}
