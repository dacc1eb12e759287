import type { Response } from 'express';

import { Answer } from '../platform/http/answer.js';

/**
 * Sends a v3 response as compact JSON. Some clients compare the whole `Content-Type` and search for header names in
 * lower case. Without `X-Source`, they assume that another service has answered (docs/decisions/0007).
 */
export function sendV3(response: Response, status: number, body: object): void {
  sendV3Json(response, status, JSON.stringify(body));
}

/** Sends a v3 response with a body that is already JSON text. */
export function sendV3Json(response: Response, status: number, json: string | Buffer): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json');
  response.setHeader('x-source', 'Pocket');
  response.end(json);
}

class V3Answer extends Answer {
  constructor(private readonly body: object) {
    super();
  }

  override sendTo(response: Response): void {
    sendV3(response, 200, this.body);
  }
}

/** Returns a v3 response with the status 200, for a handler that does not write to the response itself. */
export const v3Answer = (body: object): Answer => new V3Answer(body);

/**
 * Sends a response of the OAuth endpoints with URL-encoded fields. Clients of the original Pocket API expect this
 * format unless they request JSON.
 */
export function sendForm(response: Response, fields: Readonly<Record<string, string>>): void {
  response.statusCode = 200;
  response.setHeader('content-type', 'application/x-www-form-urlencoded');
  response.setHeader('x-source', 'Pocket');
  response.end(new URLSearchParams(fields).toString());
}

const NEVER = '0000-00-00 00:00:00';
const FOUR_DIGIT_YEAR = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})/;

/**
 * Formats a date as `YYYY-MM-DD HH:mm:ss` in UTC. All digits are zero if the date is missing or invalid, or if the year
 * does not have four digits.
 */
export function formatDate(date: Date | null): string {
  const isValid = date !== null && !Number.isNaN(date.getTime());
  const [, day, time] = FOUR_DIGIT_YEAR.exec(isValid ? date.toISOString() : '') ?? [];
  return day === undefined || time === undefined ? NEVER : `${day} ${time}`;
}

/** Formats a date as Unix seconds. Returns "0" if the date is missing. */
export const formatSeconds = (date: Date | null): string =>
  String(Math.floor((date?.getTime() || 0) / 1000));
