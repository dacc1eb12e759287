import { DomainError, ServiceBusyError } from '../../platform/common/common.errors.js';
import { type Message, message } from '../../platform/i18n/message.js';
import { TranslatedError } from '../../platform/i18n/translated.error.js';
import { english } from '../../platform/i18n/translator.js';
import type { MailFailure } from '../../platform/mail/mailer.js';

/** Thrown if the user has not saved the address of an e-reader. */
export class NoEReaderError extends TranslatedError {
  override readonly code = 'not_found';

  constructor() {
    super(message('eReader.errors.noAddress'));
  }
}

/**
 * Thrown if the user has not confirmed the account's email address. Each mail to an e-reader says that the owner of
 * this address sends the mail, so the address must be confirmed first.
 */
export class AddressNotConfirmedError extends TranslatedError {
  override readonly code = 'email_not_verified';

  constructor() {
    super(message('eReader.errors.unconfirmed'));
  }
}

const HOUR_SECONDS = 60 * 60;

/** The scope of a limit: one user, one client address, or the whole service. */
export type LimitedBy = 'user' | 'address' | 'service';

/** Thrown if a daily limit for mails to e-readers is reached. */
export class EReaderLimitError extends TranslatedError {
  override readonly code = 'too_many_requests';
  /**
   * The error message without the advice to try again. This text is stored for a digest that was not sent, because
   * users cannot send a digest again.
   */
  readonly reason: Message;

  constructor(
    by: LimitedBy,
    most: number,
    override readonly retryAfterSeconds: number,
  ) {
    const reason = message(`eReader.errors.limits.${by}`, { most });
    const count = Math.ceil(retryAfterSeconds / HOUR_SECONDS);
    super(message('eReader.errors.tryAgain', { reason, count }));
    this.reason = reason;
  }
}

/** Thrown if a mail to an e-reader was not sent. `reason` is shown to the user. */
export class NotDeliveredError extends Error {
  constructor(readonly reason: Message) {
    super(english.text(reason));
  }
}

/**
 * Messages to the user about a mail that was not sent. The messages do not contain the response of the mail server,
 * because only the operator needs this response.
 */
export const FAILURES: Readonly<Record<MailFailure, Message>> = {
  refused: message('eReader.failures.refused'),
  unreachable: message('eReader.failures.unreachable'),
  'too-many': message('eReader.failures.tooMany'),
};

export const TOO_LARGE = message('eReader.failures.tooLarge');

export const UNKNOWN_FAILURE = message('eReader.failures.unknown');

/**
 * Returns a message for the user about a mail that was not sent. Returns undefined if only the
 * operator can understand the error. An `EReaderLimitError` can only come from a digest here: a
 * single article over a limit is rejected before its mail is queued.
 */
export function sentenceFor(error: unknown): Message | undefined {
  if (error instanceof EReaderLimitError) {
    return message('eReader.failures.limit', { reason: error.reason });
  }
  if (error instanceof NotDeliveredError) {
    return error.reason;
  }
  return error instanceof AddressNotConfirmedError ? error.advice : undefined;
}

/** Returns true if another attempt to send the same mail could succeed, even without a changed setting. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof NotDeliveredError) {
    return error.reason !== TOO_LARGE && error.reason !== FAILURES.refused;
  }
  return error instanceof ServiceBusyError || !(error instanceof DomainError);
}
