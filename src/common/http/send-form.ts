import type { Response } from 'express';

/** Ends an answer of the OAuth endpoints with URL-encoded members, as the original did unless JSON was asked for. */
export function sendForm(response: Response, members: Readonly<Record<string, string>>): void {
  response.statusCode = 200;
  response.setHeader('content-type', 'application/x-www-form-urlencoded');
  response.setHeader('x-source', 'Pocket');
  response.end(new URLSearchParams(members).toString());
}
