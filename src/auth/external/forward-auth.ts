import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { Config } from '../../config/config.js';
import { LoginRefusedError } from '../auth.errors.js';
import { emailOf } from './issuer-claims.js';

type Trusts = (address: string, hop: number) => boolean;

/** Reads the header in which a proxy names the user who has logged in there (docs/decisions/0066). */
@Injectable()
export class ForwardAuth {
  constructor(private readonly config: Config) {}

  get isOn(): boolean {
    return this.config.forwardAuthHeader !== undefined;
  }

  /**
   * The email address that the proxy names; undefined where it names none, and for what did not come from a proxy of
   * TRUST_PROXY itself. Throws LoginRefusedError for anything but one address.
   */
  emailOf(request: Request): string | undefined {
    const { forwardAuthHeader: name = '' } = this.config;
    const values = request.headersDistinct[name] ?? [];
    if (values.every((value) => value === '') || !isFromProxy(request)) {
      return undefined;
    }
    const email = values.length === 1 ? emailOf(values[0]) : undefined;
    if (email === undefined || email.includes(',')) {
      throw new LoginRefusedError('The proxy in front of this service names no email address.');
    }
    return email;
  }
}

/** The peer of the connection, not who it says it speaks for. */
function isFromProxy({ app, socket: { remoteAddress } }: Request): boolean {
  const trusts: unknown = app.get('trust proxy fn');
  return remoteAddress !== undefined && isTrust(trusts) && trusts(remoteAddress, 0);
}

const isTrust = (value: unknown): value is Trusts => typeof value === 'function';
