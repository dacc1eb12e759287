import { type CanActivate, Injectable, NotFoundException } from '@nestjs/common';
import type { Response } from 'express';

import { AddressNotConfirmedError } from '../../apis/e-reader-mail/e-reader-mail.errors.js';
import { EReaderMail } from '../../apis/e-reader-mail/e-reader-mail.service.js';
import { ERROR_CATALOGUE } from '../../platform/common/error.catalogue.js';
import type { Pages } from '../pages.js';

/** Rejects a call with 404 if mail to e-readers is off. */
@Injectable()
export class EReaderMailGuard implements CanActivate {
  constructor(private readonly mail: EReaderMail) {}

  canActivate(): boolean {
    if (!this.mail.isOn) {
      throw new NotFoundException();
    }
    return true;
  }
}

/**
 * Shows a page with a link to the form with which a user confirms the email address of the account.
 *
 * @throws any error other than AddressNotConfirmedError
 */
export function showUnconfirmed(pages: Pages, response: Response, error: unknown): void {
  if (!(error instanceof AddressNotConfirmedError)) {
    throw error;
  }
  const { status } = ERROR_CATALOGUE[error.code];
  const action = { href: '/account/e-reader', label: 'Settings of your e-reader' };
  const model = { heading: 'Confirm your email address', text: error.message, action };
  pages.show(response, 'message', model, { status });
}
