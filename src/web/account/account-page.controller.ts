import { Controller, Get, Injectable, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { EReaderMail } from '../../apis/e-reader-mail/e-reader-mail.service.js';
import { FeedsService } from '../../apis/feeds/feeds.service.js';
import { AccountsService } from '../../auth/accounts.service.js';
import { InvalidCredentialsError } from '../../auth/auth.errors.js';
import { User } from '../../auth/entities/user.entity.js';
import { CurrentUser, PasswordLoginGuard } from '../../auth/http/auth.guards.js';
import { AuthorizationsService } from '../../auth/oauth/authorizations.service.js';
import { Sessions } from '../../auth/session/sessions.js';
import { AccountLimit } from '../../auth/throttle-limits.js';
import { isAdministrator } from '../../auth/user-administration.service.js';
import { isExportFormat } from '../../lib/library-formats/writing/export-formats.js';
import { fieldProblem, ValidationFailedError } from '../../platform/common/common.errors.js';
import { isId, textOf } from '../../platform/common/request-fields.js';
import { Config } from '../../platform/config/config.js';
import { ownAddress } from '../../platform/http/own-address.js';
import { Public } from '../../platform/http/public.js';
import { ThrottledBy, ThrottleGuard } from '../../platform/throttling/throttle.guard.js';
import { StorageUsage } from '../../reading-list/storage/storage-usage.service.js';
import { sendExport } from '../../transfer/downloads.js';
import { ExportService } from '../../transfer/export/export.service.js';
import { ImportService } from '../../transfer/import/import.service.js';
import { CsrfGuard, csrfTokenOf } from '../csrf.guard.js';
import { formErrorsOf } from '../forms.js';
import { PageErrorFilter } from '../page-error.filter.js';
import { forgetSiteData, goTo, Pages, READER_POLICY } from '../pages.js';
import type { FormError } from '../views.js';
import { VisitorGuard } from '../visitors.js';
import { AccountSecurity } from './sessions-page.controller.js';
import { cardOf, feedsCardOf, importCardOf, noticeOf, storageText } from './view-models.js';

interface Visit {
  readonly user: User;
  readonly request: Request;
  readonly response: Response;
}

/** Shows the account page. After a rejected form, the page also shows the errors of the form. */
@Injectable()
export class AccountPage {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly pages: Pages,
    private readonly authorizations: AuthorizationsService,
    private readonly imports: ImportService,
    private readonly feeds: FeedsService,
    private readonly security: AccountSecurity,
    private readonly eReaderMail: EReaderMail,
    private readonly storage: StorageUsage,
    private readonly config: Config,
  ) {}

  async show({ user, request, response }: Visit, errors: readonly FormError[] = []): Promise<void> {
    const [security, applications, imports, feeds, storage] = await Promise.all([
      this.security.cardsOf(user, request),
      this.authorizations.applicationsOf(user.id),
      this.imports.latest(user.id),
      this.feeds.pathsOf(user.id),
      this.storage.of(user.id),
    ]);
    const model = {
      name: user.name,
      email: user.email,
      isAdministrator: isAdministrator(user),
      hasEReaderMail: this.eReaderMail.isOn,
      hasPassword: this.config.passwordLogin && user.passwordHash !== null,
      csrfToken: csrfTokenOf(request),
      notice: noticeOf(textOf(request.query, 'done')),
      storage: storageText(storage),
      ...security,
      applications: applications.map(cardOf),
      imports: imports.map(importCardOf),
      feeds: feeds && feedsCardOf(feeds, ownAddress(request, this.config.publicUrl)),
      errors,
    };
    const status = errors.length > 0 ? 400 : 200;
    this.pages.show(response, 'account', model, { status, policy: READER_POLICY });
  }
}

/**
 * The account page of a user. It shows the applications that have access to the list, with a button to end their
 * access.
 */
@Public()
@UseFilters(PageErrorFilter)
@UseGuards(VisitorGuard)
@Controller('account')
export class AccountPageController {
  constructor(
    private readonly page: AccountPage,
    private readonly authorizations: AuthorizationsService,
    private readonly feeds: FeedsService,
    private readonly sessions: Sessions,
  ) {}

  @Get()
  async show(
    @CurrentUser() user: User,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.page.show({ user, request, response });
  }

  @Post('applications/revoke')
  @UseGuards(CsrfGuard)
  async revoke(
    @CurrentUser() user: User,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const id = textOf(request.body, 'application');
    if (isId(id)) {
      await this.authorizations.revoke(user.id, id);
    }
    goTo(response, '/account?done=revoked');
  }

  @Post('sign-out')
  @UseGuards(CsrfGuard)
  async signOut(
    @CurrentUser() user: User,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    // Sign out first. Otherwise, another session could create a personal key between the two steps.
    await this.sessions.end(user, request, response);
    if (textOf(request.body, 'revoke') === '1') {
      await this.authorizations.revoke(user.id);
      await this.feeds.revoke(user.id);
    }
    forgetSiteData(response);
    goTo(response, '/auth/login');
  }
}

/** Forms of the account page that change the password, and export the whole list as a file. */
@Public()
@UseFilters(PageErrorFilter)
@UseGuards(CsrfGuard, VisitorGuard)
@Controller('account')
export class AccountFormsController {
  constructor(
    private readonly page: AccountPage,
    private readonly accounts: AccountsService,
    private readonly sessions: Sessions,
    private readonly exports: ExportService,
  ) {}

  /** Changes the password. Failed attempts count as failed logins (docs/decisions/0013). */
  @Post('password')
  @UseGuards(PasswordLoginGuard, ThrottleGuard)
  @ThrottledBy([AccountLimit.LoginPerAddress, AccountLimit.LoginPerAccount])
  async changePassword(
    @CurrentUser() user: User,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const changed = await this.withNewPassword(user, request);
    if (Array.isArray(changed)) {
      await this.page.show({ user, request, response }, changed);
      return;
    }
    await this.sessions.begin(request, changed, request.session.loginBy);
    goTo(response, '/account?done=password');
  }

  @Post('export')
  async export(
    @CurrentUser() { id: userId }: User,
    @Req() { body }: Request,
    @Res() response: Response,
  ): Promise<void> {
    const format = textOf(body, 'format');
    if (!isExportFormat(format)) {
      throw new ValidationFailedError([
        fieldProblem('format', 'must be one of those that the page offers'),
      ]);
    }
    const withArticles = textOf(body, 'articles') === '1';
    response.status(200);
    await sendExport(response, this.exports, { userId, format, withArticles });
  }

  /** Changes the password. Returns the updated user, or the errors of the form. */
  private async withNewPassword(user: User, { body }: Request): Promise<User | FormError[]> {
    const change = { current: textOf(body, 'current'), next: textOf(body, 'password') };
    try {
      return await this.accounts.changePassword(user, change);
    } catch (error) {
      return error instanceof InvalidCredentialsError
        ? [{ field: 'current', text: 'The current password is not right.' }]
        : formErrorsOf(error);
    }
  }
}
