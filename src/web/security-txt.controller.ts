import { Controller, Get, NotFoundException, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Clock } from '../platform/common/clock.js';
import { Config } from '../platform/config/config.js';
import { addressIn } from '../platform/http/own-address.js';
import { Public } from '../platform/http/public.js';

const PATH = '.well-known/security.txt';
/** The time in milliseconds until security.txt expires. RFC 9116 section 2.5.5 recommends less than a year. */
const VALID_MS = 180 * 24 * 60 * 60 * 1000;

/**
 * Serves the file security.txt with the contact for reports of vulnerabilities (RFC 9116). Returns 404 if the operator
 * has not set a contact.
 */
@Public()
@Controller()
export class SecurityTxtController {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  @Get(PATH)
  show(@Res({ passthrough: true }) response: Response): string {
    const { publicUrl, securityContact } = this.config;
    if (securityContact === undefined) {
      throw new NotFoundException();
    }
    const expires = new Date(this.clock.now().getTime() + VALID_MS).toISOString();
    const canonical =
      publicUrl?.protocol === 'https:' ? [`Canonical: ${addressIn(publicUrl)}/${PATH}`] : [];
    const lines = [`Contact: ${securityContact}`, `Expires: ${expires}`, ...canonical];
    response.set('Cache-Control', 'no-cache').type('text/plain; charset=utf-8');
    return lines.map((line) => `${line}\n`).join('');
  }
}
