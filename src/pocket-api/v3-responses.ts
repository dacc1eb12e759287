import type { Response } from 'express';

import { Answer } from '../platform/http/answer.js';

/**
 * Sends a v3 response as compact JSON, with the exact header spelling and the header `X-Source` that clients of
 * Pocket's API expect (docs/decisions/0007).
 */
export function sendV3(response: Response, status: number, body: object): void {
  sendV3Json(response, status, JSON.stringify(body));
}

/** Sends a v3 response whose body is already JSON text. */
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

/** Returns a v3 response with the status 200, for handlers that do not use the response object. */
export const v3Answer = (body: object): Answer => new V3Answer(body);

/**
 * Sends a response of the OAuth endpoints as URL-encoded fields. Clients of the original Pocket API expect this format
 * unless they request JSON.
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
 * Formats a date as `YYYY-MM-DD HH:mm:ss` in UTC. Replaces all digits with zeros if the date is missing or invalid, or
 * if its year does not have four digits.
 */
export function formatDate(date: Date | null): string {
  const isValid = date !== null && !Number.isNaN(date.getTime());
  const [, day, time] = FOUR_DIGIT_YEAR.exec(isValid ? date.toISOString() : '') ?? [];
  return day === undefined || time === undefined ? NEVER : `${day} ${time}`;
}

/** Formats a date as a text with Unix seconds. Returns "0" if the date is missing. */
export const formatSeconds = (date: Date | null): string =>
  String(Math.floor((date?.getTime() || 0) / 1000));
