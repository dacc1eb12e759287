import { DomainError } from '../../platform/common/common.errors.js';
import type { MailFailure } from '../../platform/mail/mailer.js';

/** Thrown if the user has not saved the address of an e-reader. */
export class NoEReaderError extends DomainError {
  override readonly code = 'not_found';

  constructor() {
    super('There is no address of an e-reader: save one in the settings first.');
  }
}

/**
 * The user has not confirmed the account's email address. The address must be confirmed, because mails to the e-reader
 * name it as their sender.
 */
export class AddressNotConfirmedError extends DomainError {
  override readonly code = 'email_not_verified';

  constructor() {
    super(
      'Confirm the email address of your account first. The settings of your e-reader send you a link for that.',
    );
  }
}

/** The scope of a limit: one user, one client address, or the whole service. */
export type LimitedBy = 'user' | 'address' | 'service';

/** A daily limit of mails to e-readers is reached. */
export class EReaderLimitError extends DomainError {
  override readonly code = 'too_many_requests';
  /** The message without the time of a retry. It is shown for a failed digest, because users cannot retry digests. */
  readonly reason: string;

  constructor(
    by: LimitedBy,
    most: number,
    override readonly retryAfterSeconds: number,
  ) {
    const reason = LIMIT_REASONS[by](most);
    super(`${reason} Try again in ${hours(retryAfterSeconds)}.`);
    this.reason = reason;
  }
}

const LIMIT_REASONS: Readonly<Record<LimitedBy, (most: number) => string>> = {
  user: (most) => `You have reached your daily limit of ${most} mails to your e-reader.`,
  address: (most) => `Your network has reached its daily limit of ${most} mails to e-readers.`,
  service: () => 'This service has reached its daily limit of mails to e-readers.',
};

const HOUR_SECONDS = 60 * 60;

function hours(seconds: number): string {
  const count = Math.ceil(seconds / HOUR_SECONDS);
  return count === 1 ? 'an hour' : `${count} hours`;
}

/** A mail to an e-reader was not sent. The message tells the user why. */
export class NotDeliveredError extends Error {}

/**
 * Messages to the user about a failed mail. They leave out the answer of the mail server, which only the operator
 * needs.
 */
export const FAILURES: Readonly<Record<MailFailure, string>> = {
  refused: 'The mail server does not take mail for this address, or not one so large.',
  unreachable:
    'The mail server could not be reached, or did not take the mail. It was tried for more than a minute.',
  'too-many': 'Too many mails wait already.',
};

export const TOO_LARGE =
  'It is too large for a mail, even without pictures: download the EPUB instead.';

export const UNKNOWN_FAILURE = 'The file could not be made.';

/**
 * Returns a message for the user about a mail that was not sent, or undefined if only the operator understands the
 * error. Only digests reach a limit here, because single articles over a limit are refused immediately.
 */
export function sentenceFor(error: unknown): string | undefined {
  if (error instanceof EReaderLimitError) {
    return `${error.reason} The articles wait for the next digest.`;
  }
  const isForUser = error instanceof NotDeliveredError || error instanceof AddressNotConfirmedError;
  return isForUser ? error.message : undefined;
}
