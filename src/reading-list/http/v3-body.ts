import type { Request, RequestHandler } from 'express';
import express from 'express';

import type { BodyBudget } from '../../common/http/body-budget.js';
import { refuseUnread } from '../../common/http/body-deadline.js';
import { type Inflate, inflated, inflaterOf } from '../../common/http/inflated.js';
import { refuseHostileText } from '../../common/http/text-gate.js';
import { isAbsent } from '../../common/http/wire-reader.js';
import { Pace } from '../../common/pace.js';
import { bodyMembers } from './body-members.js';
import { membersOf } from './bracketed.js';
import { formPairs } from './form-pairs.js';

/** Of bodies that are larger, many may arrive together: they are parsed one after the other, and others in between. */
const LARGE = 64 * 1024;

/**
 * Makes `request.body` one object of members, whether they came as JSON, as a form, as multipart fields or in
 * the query. At most `limit` bytes are read, counted after inflating, which begins when the body has come whole:
 * until then a client costs no more memory than it has sent.
 */
export function v3Body(limit: number, budget: BodyBudget): RequestHandler {
  const readBytes = express.raw({ type: () => true, limit });
  return (request, response, next) => {
    const inflate = inflaterOf(request.headers['content-encoding']);
    if (inflate !== undefined) {
      delete request.headers['content-encoding'];
    }
    const giveBack = budget.watch(request, (error) => {
      refuseUnread(request, response, error);
    });
    readBytes(request, response, (error: unknown) => {
      if (error === undefined) {
        readMembers(request, limit, inflate)
          .finally(giveBack)
          .then(() => {
            next();
          }, next);
      } else {
        giveBack();
        next(error);
      }
    });
  };
}

async function readMembers(request: Request, limit: number, inflate?: Inflate): Promise<void> {
  const body: unknown = request.body;
  if (Buffer.isBuffer(body) && body.length > LARGE) {
    await new Pace().breathe();
  }
  const { 'content-type': contentType } = request.headers;
  const bytes = Buffer.isBuffer(body) && inflate ? await inflated(body, inflate, limit) : body;
  const sent = Buffer.isBuffer(bytes) ? await bodyMembers(bytes, contentType) : {};
  const members = merged(request.method, sent, queryMembers(request.originalUrl));
  refuseHostileText(members);
  request.body = members;
}

/** Node hands a URL over byte for byte. */
function queryMembers(url: string): object {
  const start = url.indexOf('?');
  return start < 0 ? {} : membersOf(formPairs(url.slice(start + 1)));
}

/** The body wins in a POST, the query otherwise; what is absent in one does not hide the other. */
const merged = (method: string, body: object, query: object): object =>
  method === 'POST'
    ? { ...present(query), ...present(body) }
    : { ...present(body), ...present(query) };

const present = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => !isAbsent(value)));
