import type { ErrorCode } from '../../platform/common/error.catalogue.js';

interface ErrorText {
  /** Explains the error and how to fix it, as in docs/api/errors.md. */
  readonly meaning: string;
  /** An example of the error message that a client receives. */
  readonly sentence: string;
}

/** Explanations of all error codes, for the API document. */
export const ERROR_TEXTS: Readonly<Record<ErrorCode, ErrorText>> = {
  validation_failed: {
    meaning: 'A parameter is missing or invalid. The message lists every error.',
    sentence: 'state must be one of unread, queue, archive, read, all',
  },
  malformed_body: {
    meaning:
      'The body is not a JSON object in UTF-8, is nested too deeply, or contains text that cannot be stored.',
    sentence: 'The body is not valid JSON.',
  },
  invalid_value: {
    meaning: 'A value is outside the range that can be stored.',
    sentence: 'A value is out of the range that can be stored.',
  },
  bad_request: {
    meaning: 'The request is malformed, and no other code describes the error.',
    sentence: 'The request is malformed.',
  },
  request_timeout: {
    meaning: 'The request arrived too slowly. Send the request again.',
    sentence: 'The request took too long to arrive.',
  },
  headers_too_large: {
    meaning: 'The URL and the headers are too large. Send a shorter URL and fewer headers.',
    sentence: 'The address and the headers are too large.',
  },
  import_unfinished: {
    meaning: 'The user has an unfinished import. Wait until the import ends, or cancel the import.',
    sentence: 'An import of yours is not finished yet: wait for it, or cancel it.',
  },
  import_not_undoable: {
    meaning:
      'The import cannot be undone. Only an import that has changed the list can be undone, within 24 hours after its end.',
    sentence:
      'Only an import that has changed the list and ended within the last 24 hours can be undone.',
  },
  consumer_key_missing: {
    meaning: 'The consumer key is missing. Send `consumer_key`.',
    sentence: 'Missing consumer key.',
  },
  redirect_uri_missing: {
    meaning: 'The redirect address is missing. Send `redirect_uri`.',
    sentence: 'Missing redirect url.',
  },
  invalid_redirect_uri: {
    meaning:
      'The `redirect_uri` would run code or open a local resource, or its origin differs from the origin in the code request.',
    sentence: 'Invalid redirect uri.',
  },
  code_missing: {
    meaning: 'The code is missing. Send `code`, or `request_token` to `/v3/oauth/request_meta`.',
    sentence: 'Missing code.',
  },
  code_not_found: {
    meaning:
      'The `code` is unknown, expired, or belongs to another application. Request a new code.',
    sentence: 'Code not found.',
  },
  invalid_credentials: {
    meaning: 'The email address, password, cookie or token is invalid. Log in again.',
    sentence: 'The credentials are not valid.',
  },
  otp_required: {
    meaning:
      'The password is correct, but the account has a second factor. Also send `otp`, which is a code of the second factor or a recovery code.',
    sentence: 'The account has a second factor: send otp, a code of its app or a recovery code.',
  },
  invalid_otp: {
    meaning: 'The password is correct, but `otp` is wrong or was used before. Send the next code.',
    sentence: 'The code is wrong, or was used before.',
  },
  invalid_refresh_token: {
    meaning: 'The refresh token is unknown, used or replaced. Log in again.',
    sentence: 'The refresh token is not valid: log in again.',
  },
  invalid_access_token: {
    meaning:
      'The `access_token` is missing, expired or revoked. Refresh the token, or log in again.',
    sentence: 'A valid access token is required to access this endpoint.',
  },
  invalid_consumer_key: {
    meaning: 'The consumer key is unknown or disabled. Ask the administrator.',
    sentence: 'Invalid consumer key.',
  },
  access_token_of_another_key: {
    meaning:
      'The `access_token` belongs to another consumer key. Send a consumer key and an access token that belong together.',
    sentence: 'The access token belongs to another consumer key.',
  },
  permission_missing: {
    meaning:
      'The consumer key does not have the permission for this endpoint. Ask the administrator.',
    sentence: 'The consumer key does not have the permission "modify".',
  },
  application_refused: {
    meaning:
      'The OAuth endpoints reject the consumer key, because the key is unknown, disabled or personal. Ask the administrator.',
    sentence: 'Invalid consumer key.',
  },
  code_not_authorized: {
    meaning: 'The user has denied access, or has not answered yet.',
    sentence: 'User rejected code.',
  },
  code_used: {
    meaning: 'The code was already exchanged. Request a new code.',
    sentence: 'Already used code.',
  },
  unknown_host: {
    meaning:
      'The host name of the request is not a host name of the service. The operator can set `PUBLIC_URL`.',
    sentence:
      'The host name of the request is not a host name of this service. If it is, check that PUBLIC_URL is the address of the service, and that your proxy passes on the Host header.',
  },
  registration_closed: {
    meaning:
      'An invitation is required: ask the administrator. Or the first account must be created on the pages of the service.',
    sentence: 'Registration is closed here.',
  },
  invalid_invitation: {
    meaning:
      'The invitation is unknown, used, expired, or for another email address. Ask for another invitation.',
    sentence: 'The invitation is used or has expired, or is for another email address.',
  },
  email_not_verified: {
    meaning:
      'The password is correct, but the email address is not verified. The user must open the link in the mail from the service.',
    sentence: 'The email address is not confirmed yet: open the link that was sent to it.',
  },
  invalid_link: {
    meaning: 'The link from a mail is unknown, used or expired. Request another link.',
    sentence: 'The link is used or has expired: ask for another one.',
  },
  password_login_off: {
    meaning:
      'The service does not accept passwords. Log in on the web pages, and connect applications there.',
    sentence: 'Passwords are not used here.',
  },
  login_refused: {
    meaning:
      'The service rejected a login through the issuer or the proxy. The message contains the reason.',
    sentence: 'Your account is disabled.',
  },
  administrator_needed: {
    meaning: 'Only administrators can use this page.',
    sentence: 'Only administrators may do this.',
  },
  form_outdated: {
    meaning: 'The form does not contain the CSRF token of the page. Open the page again.',
    sentence: 'This form is out of date: open the page again.',
  },
  undeclared_route: {
    meaning: 'The endpoint is closed because of a bug in the service. Report the bug.',
    sentence: 'This endpoint is closed.',
  },
  not_found: {
    meaning: 'There is nothing at this address.',
    sentence: 'There is nothing at this address.',
  },
  item_not_found: {
    meaning: 'The list has no item with this URL or id.',
    sentence: 'There is no such item in the list.',
  },
  method_not_allowed: {
    meaning:
      'The service does not accept this method. Use GET or POST. Outside the v3 API, you can also use HEAD.',
    sentence: 'The method PUT is not allowed here.',
  },
  email_taken: {
    meaning: 'An account with this email address exists. Log in instead.',
    sentence: 'There is an account with this email address already.',
  },
  last_administrator: {
    meaning:
      'The service needs at least one administrator. Give another user the role of administrator first.',
    sentence: 'This is the last administrator: make another user one first.',
  },
  body_too_large: {
    meaning: 'The request is too large. Send less data.',
    sentence: 'The body is too large.',
  },
  unsupported_media_type: {
    meaning:
      'The format of the body is not supported. Send JSON in UTF-8 with `Content-Type: application/json`.',
    sentence: 'The body must be JSON, a form or multipart fields, in UTF-8.',
  },
  no_article: {
    meaning: 'The page could not be fetched, or has no article. Do not retry.',
    sentence: 'The page has no article.',
  },
  unknown_format: {
    meaning:
      'Satchel cannot import this file format. The page docs/use/import-formats.md lists the supported formats.',
    sentence: 'The file is no export that can be imported.',
  },
  unreadable_file: {
    meaning:
      'The file to import is empty, encrypted or broken, is too large when decompressed, or contains passwords.',
    sentence: 'The ZIP is broken, or was not downloaded to its end.',
  },
  too_many_requests: {
    meaning:
      'The client has sent too many requests. Wait for the number of seconds in `Retry-After`.',
    sentence: 'Too many attempts: try again in 600 seconds.',
  },
  internal_error: {
    meaning: 'The service has failed. Report the error with the request id.',
    sentence: 'The service failed; the log has the details under this request id.',
  },
  not_ready: {
    meaning:
      'The service is stopping, or its database does not respond. Only `/ready` returns this code.',
    sentence: 'The service is not ready: database.',
  },
  page_not_read: {
    meaning: 'The page was saved, but is not fetched yet. Retry later.',
    sentence: 'The page is not read yet: try again in a moment.',
  },
  issuer_unavailable: {
    meaning: 'The issuer with which users log in does not respond. Retry later.',
    sentence: 'login.example.com cannot be reached at the moment: try again later.',
  },
  service_busy: {
    meaning: 'The service is processing too many calls. Retry later.',
    sentence: 'The service is busy: try again in a moment.',
  },
  database_unavailable: {
    meaning: 'The database does not respond, is busy, or has a full disk. Retry later.',
    sentence: 'The service cannot reach its database: try again in a moment.',
  },
  storage_full: {
    meaning:
      'The user has reached the storage limit. Delete items and empty the trash, or ask the administrator.',
    sentence:
      'Your list is full: it can store 5 GB. Delete items and empty the trash, or ask your administrator for more.',
  },
};
