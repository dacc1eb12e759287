import type { Response } from 'express';

/**
 * Sends a v3 response as compact JSON. Clients compare the whole `Content-Type`, and look for headers in lower case.
 * They treat a response without `X-Source` as one of another service (docs/decisions/0007).
 */
export function sendV3(response: Response, status: number, body: object): void {
  sendV3Json(response, status, JSON.stringify(body));
}

/** Sends a v3 response whose body is JSON already. */
export function sendV3Json(response: Response, status: number, json: string | Buffer): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json');
  response.setHeader('x-source', 'Pocket');
  response.end(json);
}

/**
 * Sends a response of the OAuth endpoints with URL-encoded fields. The original Pocket API did so unless the client
 * asked for JSON.
 */
export function sendForm(response: Response, fields: Readonly<Record<string, string>>): void {
  response.statusCode = 200;
  response.setHeader('content-type', 'application/x-www-form-urlencoded');
  response.setHeader('x-source', 'Pocket');
  response.end(new URLSearchParams(fields).toString());
}

const NEVER = '0000-00-00 00:00:00';
const FOUR_DIGIT_YEAR = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})/;

/** Returns `YYYY-MM-DD HH:mm:ss` in UTC. Returns zeros if the date is missing, invalid, or has no four-digit year. */
export function formatDate(date: Date | null): string {
  const isValid = date !== null && !Number.isNaN(date.getTime());
  const [, day, time] = FOUR_DIGIT_YEAR.exec(isValid ? date.toISOString() : '') ?? [];
  return day === undefined || time === undefined ? NEVER : `${day} ${time}`;
}

/** Returns Unix seconds as text, or "0" if the date is missing. */
export const formatSeconds = (date: Date | null): string =>
  String(Math.floor((date?.getTime() || 0) / 1000));
