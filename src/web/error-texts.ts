import type { ErrorCode } from '../platform/common/error.catalogue.js';
import type { ErrorReport } from '../platform/http/error-report.js';
import { type Message, message, type MessageKey } from '../platform/i18n/message.js';

/** The messages about errors that have no message of their own. */
const KEYS: Readonly<Partial<Record<ErrorCode, MessageKey>>> = {
  administrator_needed: 'errors.administratorNeeded',
  body_too_large: 'errors.tooLarge',
  database_unavailable: 'errors.databaseUnavailable',
  email_not_verified: 'wallabag.login.refusals.verification',
  internal_error: 'errors.failed',
  invalid_access_token: 'errors.loginNeeded',
  invalid_credentials: 'login.errors.wrong',
  invalid_otp: 'secondFactor.wrongCode',
  item_not_found: 'errors.itemNotFound',
  no_article: 'errors.noArticle',
  not_found: 'errors.unknownAddress',
  otp_required: 'secondFactor.wrongCode',
  page_not_read: 'errors.notFetched',
  password_login_off: 'errors.passwordLoginOff',
  request_timeout: 'errors.slow',
  service_busy: 'errors.busy',
};

/**
 * Returns the message with which a page explains an error. Its sentence for API clients is always English, and may name
 * parameters that the person does not know.
 */
export const errorText = ({ code, advice }: ErrorReport): Message =>
  advice ?? message(KEYS[code] ?? 'errors.invalidRequest');
