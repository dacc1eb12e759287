import type { Response } from 'express';

/**
 * Ends a v3 answer with compact JSON. Clients compare the whole `Content-Type`, look for headers in lower case,
 * and take an answer without `X-Source` for somebody else's (docs/decisions/0007).
 */
export function sendWire(response: Response, status: number, body: object): void {
  sendJson(response, status, JSON.stringify(body));
}

/** As `sendWire`, for a body that is JSON already. */
export function sendJson(response: Response, status: number, json: string | Buffer): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json');
  response.setHeader('x-source', 'Pocket');
  response.end(json);
}
