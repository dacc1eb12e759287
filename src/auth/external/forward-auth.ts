import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { Warnings } from '../../platform/common/warnings.js';
import { Config } from '../../platform/config/config.js';
import { isFromProxy } from '../../platform/http/proxy-headers.js';
import { LoginRefusedError } from '../auth.errors.js';
import { emailOf } from './issuer-claims.js';

/** Reads the header with the email address of the user who has logged in at a trusted proxy (docs/decisions/0066). */
@Injectable()
export class ForwardAuth {
  constructor(
    private readonly config: Config,
    private readonly warnings: Warnings,
  ) {}

  get isOn(): boolean {
    return this.config.forwardAuthHeader !== undefined;
  }

  /**
   * Returns the email address that the proxy has sent. Returns undefined if the header is missing,
   * or if the request does not come directly from a proxy in TRUST_PROXY.
   * @throws LoginRefusedError if the header is not exactly one email address.
   */
  emailOf(request: Request): string | undefined {
    const { forwardAuthHeader: name = '' } = this.config;
    const values = request.headersDistinct[name] ?? [];
    if (values.every((value) => value === '')) {
      return undefined;
    }
    if (!isFromProxy(request)) {
      this.warnOfPeer(request);
      return undefined;
    }
    const email = values.length === 1 ? emailOf(values[0]) : undefined;
    if (email === undefined || email.includes(',')) {
      throw new LoginRefusedError('The proxy in front of this service names no email address.');
    }
    return email;
  }

  private warnOfPeer({ socket: { remoteAddress = 'unknown' } }: Request): void {
    this.warnings.once(
      'forward-auth',
      `FORWARD_AUTH_HEADER: ${this.config.forwardAuthHeader ?? ''} comes from ${remoteAddress}, which TRUST_PROXY does not list. The header is ignored`,
    );
  }
}
