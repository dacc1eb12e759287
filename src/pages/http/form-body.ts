import type { NextFunction, Request, RequestHandler, Response } from 'express';
import express from 'express';

import { refuseHostileText } from '../../common/http/text-gate.js';
import { formPairs } from '../../reading-list/http/form-pairs.js';

/** Where the pages lie whose forms are read. */
export const FORM_PATHS = ['/auth', '/account'];
const LIMIT = '16kb';

/** Reads the form of a page; a body of another type is as good as none, and has no token (csrf.ts). */
export const formBody = (): RequestHandler[] => [
  express.raw({ type: 'application/x-www-form-urlencoded', limit: LIMIT }),
  readFields,
];

function readFields(request: Request, _response: Response, next: NextFunction): void {
  const body: unknown = request.body;
  const fields = Buffer.isBuffer(body)
    ? Object.fromEntries(formPairs(body.toString('latin1')))
    : {};
  refuseHostileText(fields);
  request.body = fields;
  next();
}
