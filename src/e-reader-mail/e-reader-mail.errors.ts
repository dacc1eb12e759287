import { DomainError } from '../common/common.errors.js';
import type { MailFailure } from '../mail/mailer.js';

/** There is no address to send to. */
export class NoEReaderError extends DomainError {
  override readonly code = 'not_found';

  constructor() {
    super('There is no address of an e-reader: save one in the settings first.');
  }
}

/** Why a mail to an e-reader was not sent; the sentence is for its user. */
export class NotDeliveredError extends Error {}

/** What a user is told of mail that fails: nothing of the mail server, which is the operator's. */
export const FAILURES: Readonly<Record<MailFailure, string>> = {
  refused: 'The mail server does not take mail for this address, or not one so large.',
  unreachable:
    'The mail server could not be reached, or did not take the mail. It was tried for more than a minute.',
  'too-many': 'Too many mails wait already.',
};

export const TOO_LARGE =
  'It is too large for a mail, even without pictures: download the EPUB instead.';

export const UNKNOWN_FAILURE = 'The file could not be made.';
