import type { ErrorCode } from '../../platform/common/error.catalogue.js';

interface ErrorText {
  /** The meaning of the error and how to fix the error, as in docs/api/errors.md. */
  readonly meaning: string;
  /** An example of the error message that a client gets. */
  readonly sentence: string;
}

/** Descriptions of the errors in the API document. */
export const ERROR_TEXTS: Readonly<Record<ErrorCode, ErrorText>> = {
  validation_failed: {
    meaning: 'parameters are missing or wrong: `message` lists each',
    sentence: 'state must be one of unread, queue, archive, read, all',
  },
  malformed_body: {
    meaning:
      'the body is no JSON object in UTF-8, is nested too deeply, or has text that cannot be stored',
    sentence: 'The body is not valid JSON.',
  },
  invalid_value: {
    meaning: 'a value is out of the range that can be stored',
    sentence: 'A value is out of the range that can be stored.',
  },
  bad_request: {
    meaning: 'the request is malformed in another way',
    sentence: 'The request is malformed.',
  },
  request_timeout: {
    meaning: 'the request arrived too slowly: send it again',
    sentence: 'The request took too long to arrive.',
  },
  headers_too_large: {
    meaning: 'send a shorter address and fewer headers',
    sentence: 'The address and the headers are too large.',
  },
  import_unfinished: {
    meaning: 'an import of this person is not finished: wait for it, or cancel it',
    sentence: 'An import of yours is not finished yet: wait for it, or cancel it.',
  },
  consumer_key_missing: {
    meaning: 'send `consumer_key`',
    sentence: 'Missing consumer key.',
  },
  redirect_uri_missing: {
    meaning: 'send `redirect_uri`',
    sentence: 'Missing redirect url.',
  },
  invalid_redirect_uri: {
    meaning:
      '`redirect_uri` would run or open something by itself, or has another origin than that of the request',
    sentence: 'Invalid redirect uri.',
  },
  code_missing: {
    meaning: 'send `code`',
    sentence: 'Missing code.',
  },
  code_not_found: {
    meaning: '`code` is unknown, expired, or of another application: begin again',
    sentence: 'Code not found.',
  },
  invalid_credentials: {
    meaning: 'the email address, password, cookie or token is not valid: log in again',
    sentence: 'The credentials are not valid.',
  },
  otp_required: {
    meaning:
      'the password is right: send `otp` too, a code of the second factor or a recovery code',
    sentence: 'The account has a second factor: send otp, a code of its app or a recovery code.',
  },
  invalid_otp: {
    meaning: 'the password is right, `otp` is wrong or was used before: send the next code',
    sentence: 'The code is wrong, or was used before.',
  },
  invalid_refresh_token: {
    meaning: 'the refresh token is unknown, used or replaced: log in again',
    sentence: 'The refresh token is not valid: log in again.',
  },
  invalid_access_token: {
    meaning: '`access_token` is missing, expired or revoked: refresh it, or log in again',
    sentence: 'A valid access token is required to access this endpoint.',
  },
  invalid_consumer_key: {
    meaning: 'the key is unknown or disabled: ask the administrator',
    sentence: 'Invalid consumer key.',
  },
  access_token_of_another_key: {
    meaning: '`access_token` was given to another consumer key: send the two that belong together',
    sentence: 'The access token belongs to another consumer key.',
  },
  permission_missing: {
    meaning: 'the key lacks the permission for this endpoint: ask the administrator',
    sentence: 'The consumer key does not have the permission "modify".',
  },
  application_refused: {
    meaning:
      'the key is unknown, disabled or personal, on the OAuth endpoints: ask the administrator',
    sentence: 'Invalid consumer key.',
  },
  code_not_authorized: {
    meaning: 'the person has said no, or nothing yet',
    sentence: 'User rejected code.',
  },
  code_used: {
    meaning: 'the code was exchanged already: begin again',
    sentence: 'Already used code.',
  },
  registration_closed: {
    meaning: 'no account can be created without an invitation: ask the administrator',
    sentence: 'Registration is closed here.',
  },
  invalid_invitation: {
    meaning:
      'the invitation is unknown, used, expired, or for another email address: ask for another',
    sentence: 'The invitation is used or has expired, or is for another email address.',
  },
  email_not_verified: {
    meaning: 'the password is right, but the user has to open the link in the mail that was sent',
    sentence: 'The email address is not confirmed yet: open the link that was sent to it.',
  },
  invalid_link: {
    meaning: 'the link of a mail is unknown, used or expired: ask for another one',
    sentence: 'The link is used or has expired: ask for another one.',
  },
  password_login_off: {
    meaning: 'no password is accepted here: log in on the pages, and connect applications there',
    sentence: 'Passwords are not used here.',
  },
  login_refused: {
    meaning: 'what the issuer or the proxy says logs no user in; the sentence says why',
    sentence: 'Your account is disabled.',
  },
  administrator_needed: {
    meaning: 'the page is for administrators',
    sentence: 'Only administrators may do this.',
  },
  form_outdated: {
    meaning: 'a form of a page was sent without the token that the page gave: open the page again',
    sentence: 'This form is out of date: open the page again.',
  },
  undeclared_route: {
    meaning: 'the endpoint is closed by a mistake of the service: report it',
    sentence: 'This endpoint is closed.',
  },
  not_found: {
    meaning: 'there is nothing at this address',
    sentence: 'There is nothing at this address.',
  },
  item_not_found: {
    meaning: 'the list has no item with this URL',
    sentence: 'There is no such item in the list.',
  },
  method_not_allowed: {
    meaning: 'use GET or POST, outside of the v3 API also HEAD',
    sentence: 'The method PUT is not allowed here.',
  },
  email_taken: {
    meaning: 'log in instead',
    sentence: 'There is an account with this email address already.',
  },
  last_administrator: {
    meaning: 'an installation keeps one administrator: make another user one first',
    sentence: 'This is the last administrator: make another user one first.',
  },
  body_too_large: {
    meaning: 'send less',
    sentence: 'The body is too large.',
  },
  unsupported_media_type: {
    meaning: 'send JSON in UTF-8 with `Content-Type: application/json`',
    sentence: 'The body must be JSON, a form or multipart fields, in UTF-8.',
  },
  no_article: {
    meaning: 'the page could not be read, or has no article: do not ask again',
    sentence: 'The page has no article.',
  },
  unknown_format: {
    meaning: 'the file to import is in none of the formats that docs/use/import-formats.md lists',
    sentence: 'The file is no export that can be imported.',
  },
  unreadable_file: {
    meaning:
      'the file to import is empty, encrypted or broken, unpacks to too much, or contains passwords',
    sentence: 'The ZIP is broken, or was not downloaded to its end.',
  },
  too_many_requests: {
    meaning: 'wait for `Retry-After`',
    sentence: 'Too many attempts: try again in 600 seconds.',
  },
  internal_error: {
    meaning: 'an error of the service: report the request id',
    sentence: 'The service failed; the log has the details under this request id.',
  },
  not_ready: {
    meaning: '`/ready`: the service is stopping, or its database does not answer',
    sentence: 'The service is not ready: database.',
  },
  page_not_read: {
    meaning: 'the page was saved, and is not read yet: try again',
    sentence: 'The page is not read yet: try again in a moment.',
  },
  issuer_unavailable: {
    meaning: 'the issuer with which users log in does not answer: try again later',
    sentence: 'login.example.com cannot be reached at the moment: try again later.',
  },
  service_busy: {
    meaning: 'too many calls at once: try again',
    sentence: 'The service is busy: try again in a moment.',
  },
  database_unavailable: {
    meaning: 'the database does not answer, is busy, or its disk is full: try again',
    sentence: 'The service cannot reach its database: try again in a moment.',
  },
  storage_full: {
    meaning: 'the user stores as much as allowed: delete items, or ask the administrator',
    sentence:
      'Your list is full: it can store 5 GB. Delete items, or ask your administrator for more.',
  },
};
