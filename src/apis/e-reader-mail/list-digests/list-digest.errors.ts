import { type Message, message } from '../../../platform/i18n/message.js';
import {
  AddressNotConfirmedError,
  EReaderLimitError,
  NotDeliveredError,
  sentenceFor,
  UNKNOWN_FAILURE,
} from '../e-reader-mail.errors.js';

/** Thrown if another attempt would fail too, until the user or the operator changes something. */
export class DigestSkippedError extends Error {
  constructor(readonly reason: Message) {
    super('The digest is skipped until its next time.');
  }
}

export const UNREADABLE = message('listDigest.failures.unreadable');
export const NO_E_READER = message('listDigest.failures.noEReader');
export const UNCONFIRMED = message('listDigest.failures.unconfirmed');

/** Returns the reason of an error that makes a digest wait for its next time. Undefined if it is tried again sooner. */
export function skipReasonOf(error: unknown): Message | undefined {
  if (error instanceof DigestSkippedError) {
    return error.reason;
  }
  if (error instanceof AddressNotConfirmedError) {
    return UNCONFIRMED;
  }
  return error instanceof EReaderLimitError ? sentenceFor(error) : undefined;
}

/** Returns a message for the user about a failed attempt. */
export const failureOf = (error: unknown): Message =>
  error instanceof NotDeliveredError ? error.reason : UNKNOWN_FAILURE;
