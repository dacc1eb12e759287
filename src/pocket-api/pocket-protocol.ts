import type { Response } from 'express';

import { ERROR_CATALOGUE } from '../platform/common/error.catalogue.js';
import type { ErrorReport } from '../platform/http/error-report.js';
import type { Protocol } from '../platform/http/protocols.js';
import { sendV3 } from './v3-responses.js';
import { isV3Path } from './v3-routes.js';

/**
 * Defines the methods and the error format of the v3 API. HEAD is not allowed, because it would run the handler for
 * GET, which may change the list.
 */
export const POCKET_PROTOCOL: Protocol = {
  isAt: isV3Path,
  isCall: isV3Path,
  methods: ['GET', 'POST'],
  answerError: answerV3Error,
};

function answerV3Error(response: Response, { code, message }: ErrorReport): void {
  const { status, xErrorCode } = ERROR_CATALOGUE[code];
  response.setHeader('x-error', headerText(message));
  response.setHeader('x-error-code', String(xErrorCode));
  sendV3(response, status, { status: 0, error: message, code: xErrorCode });
}

/**
 * Replaces characters that an HTTP header must not contain. A header contains only visible ASCII and spaces (RFC 9110
 * section 5.5).
 */
const headerText = (message: string): string => message.replaceAll(/[^\x20-\x7e]/g, '?');
