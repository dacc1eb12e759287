import express, {
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';

import { MalformedBodyError, UnsupportedMediaTypeError } from '../common/common.errors.js';
import { refuseHostileBytes, refuseHostileText } from './text-gate.js';

/**
 * Returns middleware that parses a JSON object, and accepts requests without a body. `limit` is the maximum size after
 * decompression. Forms are rejected, because a page of another site could make a browser send a form with the session
 * cookie of the user (docs/decisions/0010).
 */
export function jsonBody(limit: string): RequestHandler[] {
  return [requireJson, express.json({ limit, verify: refuseBytes }), requireObject];
}

function requireJson({ headers }: Request, _response: Response, next: NextFunction): void {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json' || (type === undefined && isEmpty(headers))) {
    next();
    return;
  }
  throw new UnsupportedMediaTypeError();
}

function isEmpty(headers: Request['headers']): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

function refuseBytes(_request: unknown, _response: unknown, bytes: Buffer, encoding: string): void {
  if (encoding !== 'utf-8') {
    throw new UnsupportedMediaTypeError();
  }
  refuseHostileBytes(bytes);
}

function requireObject(request: Request, _response: Response, next: NextFunction): void {
  const body: unknown = request.body ?? {};
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw new MalformedBodyError('The body must be one JSON object.');
  }
  refuseHostileText(body);
  request.body = body;
  next();
}
