import type { Request, Response } from 'express';

import { sendForm } from '../../common/http/send-form.js';
import { sendWire } from '../../common/http/send-wire.js';
import type { GrantedAccess } from '../request-codes.service.js';

/** The answer of request. */
export interface WireCode {
  readonly code: string;
  readonly state?: string;
}

/** The answer of authorize. */
export interface WireAccess {
  readonly access_token: string;
  readonly username: string;
  readonly state?: string;
}

export const presentCode = (code: string, state: string | undefined): WireCode => ({
  code,
  ...(state !== undefined && { state }),
});

export const presentAccess = ({ accessToken, username, state }: GrantedAccess): WireAccess => ({
  access_token: accessToken,
  username,
  ...(state !== undefined && { state }),
});

/** URL-encoded, or JSON for a client that names it in `X-Accept`. */
export function sendOAuth(
  { headers }: Request,
  response: Response,
  answer: Readonly<Record<string, string>> | WireCode | WireAccess,
): void {
  if (/json/i.test(String(headers['x-accept']))) {
    sendWire(response, 200, answer);
    return;
  }
  sendForm(response, { ...answer });
}
