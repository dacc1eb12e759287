import { Catch } from '@nestjs/common';
import type { Response } from 'express';

import { ERROR_CATALOGUE } from '../../platform/common/error.catalogue.js';
import { DomainErrorFilter } from '../../platform/http/domain-error.filter.js';
import type { ErrorReport } from '../../platform/http/error-report.js';

/**
 * The value of `WWW-Authenticate`. E-readers support no login method other than Basic. Names and passwords are UTF-8
 * (RFC 7617).
 */
const CHALLENGE = 'Basic realm="Satchel", charset="UTF-8"';

/** Sends errors as one sentence of plain text, because e-readers may show the text to the user. */
@Catch()
export class OpdsErrorFilter extends DomainErrorFilter {
  protected override answer(response: Response, { code, message }: ErrorReport): void {
    const { status } = ERROR_CATALOGUE[code];
    if (status === 401) {
      response.setHeader('www-authenticate', CHALLENGE);
    }
    response.statusCode = status;
    response.setHeader('content-type', 'text/plain; charset=utf-8');
    response.end(`${message}\n`);
  }
}
