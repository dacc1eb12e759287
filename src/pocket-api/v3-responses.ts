import type { Response } from 'express';

/**
 * Ends a v3 answer with compact JSON. Clients compare the whole `Content-Type`, look for headers in lower case,
 * and take an answer without `X-Source` for one of another service (docs/decisions/0007).
 */
export function sendV3(response: Response, status: number, body: object): void {
  sendV3Json(response, status, JSON.stringify(body));
}

/** As `sendV3`, for a body that is JSON already. */
export function sendV3Json(response: Response, status: number, json: string | Buffer): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json');
  response.setHeader('x-source', 'Pocket');
  response.end(json);
}

/** Ends an answer of the OAuth endpoints with URL-encoded fields, as the original did unless JSON was asked for. */
export function sendForm(response: Response, fields: Readonly<Record<string, string>>): void {
  response.statusCode = 200;
  response.setHeader('content-type', 'application/x-www-form-urlencoded');
  response.setHeader('x-source', 'Pocket');
  response.end(new URLSearchParams(fields).toString());
}

const NEVER = '0000-00-00 00:00:00';
const FOUR_DIGIT_YEAR = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})/;

/** `YYYY-MM-DD HH:mm:ss` in UTC; zeros for what no such text can say. */
export function formatDate(date: Date | null): string {
  const isValid = date !== null && !Number.isNaN(date.getTime());
  const [, day, time] = FOUR_DIGIT_YEAR.exec(isValid ? date.toISOString() : '') ?? [];
  return day === undefined || time === undefined ? NEVER : `${day} ${time}`;
}

/** Unix seconds as text, "0" for never. */
export const formatSeconds = (date: Date | null): string =>
  String(Math.floor((date?.getTime() || 0) / 1000));
