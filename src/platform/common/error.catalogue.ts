interface ErrorRow {
  /** The HTTP status of the error (RFC 9110). */
  readonly status: number;
  /** The error number that v3 clients receive in the header `X-Error-Code` (docs/api/errors.md). */
  readonly xErrorCode: number;
}

/** The HTTP status and the number in `X-Error-Code` of each error. The keys are the stable error codes. */
export const ERROR_CATALOGUE = {
  validation_failed: { status: 400, xErrorCode: 130 },
  malformed_body: { status: 400, xErrorCode: 130 },
  invalid_value: { status: 400, xErrorCode: 130 },
  bad_request: { status: 400, xErrorCode: 130 },
  consumer_key_missing: { status: 400, xErrorCode: 138 },
  redirect_uri_missing: { status: 400, xErrorCode: 140 },
  invalid_redirect_uri: { status: 400, xErrorCode: 181 },
  code_missing: { status: 400, xErrorCode: 182 },
  code_not_found: { status: 400, xErrorCode: 185 },
  invalid_credentials: { status: 401, xErrorCode: 107 },
  otp_required: { status: 401, xErrorCode: 107 },
  invalid_otp: { status: 401, xErrorCode: 107 },
  invalid_refresh_token: { status: 401, xErrorCode: 107 },
  invalid_access_token: { status: 401, xErrorCode: 107 },
  invalid_consumer_key: { status: 401, xErrorCode: 136 },
  access_token_of_another_key: { status: 401, xErrorCode: 137 },
  permission_missing: { status: 403, xErrorCode: 151 },
  application_refused: { status: 403, xErrorCode: 152 },
  code_not_authorized: { status: 403, xErrorCode: 158 },
  code_used: { status: 403, xErrorCode: 159 },
  registration_closed: { status: 403, xErrorCode: 150 },
  invalid_invitation: { status: 403, xErrorCode: 150 },
  email_not_verified: { status: 403, xErrorCode: 150 },
  invalid_link: { status: 403, xErrorCode: 150 },
  password_login_off: { status: 403, xErrorCode: 150 },
  login_refused: { status: 403, xErrorCode: 150 },
  administrator_needed: { status: 403, xErrorCode: 150 },
  form_outdated: { status: 403, xErrorCode: 150 },
  undeclared_route: { status: 403, xErrorCode: 150 },
  not_found: { status: 404, xErrorCode: 130 },
  item_not_found: { status: 404, xErrorCode: 198 },
  method_not_allowed: { status: 405, xErrorCode: 130 },
  request_timeout: { status: 408, xErrorCode: 130 },
  email_taken: { status: 409, xErrorCode: 105 },
  last_administrator: { status: 409, xErrorCode: 130 },
  import_unfinished: { status: 409, xErrorCode: 130 },
  import_not_undoable: { status: 409, xErrorCode: 130 },
  body_too_large: { status: 413, xErrorCode: 130 },
  unsupported_media_type: { status: 415, xErrorCode: 130 },
  no_article: { status: 415, xErrorCode: 130 },
  unknown_host: { status: 421, xErrorCode: 130 },
  unknown_format: { status: 422, xErrorCode: 130 },
  unreadable_file: { status: 422, xErrorCode: 130 },
  too_many_requests: { status: 429, xErrorCode: 199 },
  headers_too_large: { status: 431, xErrorCode: 130 },
  internal_error: { status: 500, xErrorCode: 198 },
  not_ready: { status: 503, xErrorCode: 199 },
  page_not_read: { status: 503, xErrorCode: 199 },
  issuer_unavailable: { status: 503, xErrorCode: 199 },
  service_busy: { status: 503, xErrorCode: 199 },
  database_unavailable: { status: 503, xErrorCode: 199 },
  storage_full: { status: 507, xErrorCode: 160 },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;
