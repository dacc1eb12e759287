import { type CanActivate, Injectable, NotFoundException } from '@nestjs/common';

import { AddressNotConfirmedError } from '../../../apis/e-reader-mail/e-reader-mail.errors.js';
import { EReaderMail } from '../../../apis/e-reader-mail/e-reader-mail.service.js';
import { ERROR_CATALOGUE } from '../../../platform/common/error.catalogue.js';
import { message } from '../../../platform/i18n/message.js';
import { messagePage } from '../../message-page.js';
import type { ShownPage } from '../../template.js';

/** Rejects requests with 404 if mail to e-readers is off. */
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
 * Returns an error page that links to the form for confirming the email address of the account.
 *
 * @throws `error` if it is not an AddressNotConfirmedError
 */
export function unconfirmedPage(error: unknown): ShownPage {
  if (!(error instanceof AddressNotConfirmedError)) {
    throw error;
  }
  const { status } = ERROR_CATALOGUE[error.code];
  const action = { href: '/account/e-reader', label: message('eReader.unconfirmed.settings') };
  const heading = message('eReader.unconfirmed.title');
  return messagePage.page({ heading, text: error.advice, action }, { status });
}
