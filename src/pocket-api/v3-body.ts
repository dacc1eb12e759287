import express, { type Request, type RequestHandler } from 'express';

import { yieldToOthers } from '../lib/util/event-loop.js';
import { DomainError, MalformedBodyError } from '../platform/common/common.errors.js';
import type { BodyBudget } from '../platform/http/body-budget.js';
import { refuseUnread } from '../platform/http/body-deadline.js';
import { type Inflate, inflated, inflaterOf } from '../platform/http/inflated.js';
import { refuseHostileBytes, refuseHostileText } from '../platform/http/text-gate.js';
import { formPairs, paramsOf } from './form.js';
import { multipartPairs } from './multipart.js';
import { isAbsent } from './param-readers.js';

class UnsupportedBodyError extends DomainError {
  override readonly code = 'unsupported_media_type';

  constructor() {
    super('The body must be JSON, a form or multipart fields, in UTF-8.');
  }
}

/**
 * The size in bytes above which a body is parsed only after other pending work of the process.
 * Otherwise, several large bodies at once could block the process.
 */
const LARGE = 64 * 1024;

/**
 * Returns middleware that merges the parameters of the query and of a JSON, form or multipart body into `request.body`.
 * `limit` is the maximum size of the inflated body in bytes. Inflating begins when the body is complete, so an
 * incomplete body needs little memory.
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
        readRequest(request, limit, inflate)
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

async function readRequest(request: Request, limit: number, inflate?: Inflate): Promise<void> {
  const body: unknown = request.body;
  if (Buffer.isBuffer(body) && body.length > LARGE) {
    await yieldToOthers();
  }
  const { 'content-type': contentType } = request.headers;
  const bytes = Buffer.isBuffer(body) && inflate ? await inflated(body, inflate, limit) : body;
  const sent = Buffer.isBuffer(bytes) ? await bodyParams(bytes, contentType) : {};
  const params = merged(request.method, sent, queryParams(request.originalUrl));
  refuseHostileText(params);
  request.body = params;
}

/**
 * Parses the parameters in the query of a URL. Node does not decode URLs, so each character of the
 * query is one byte.
 */
function queryParams(url: string): object {
  const start = url.indexOf('?');
  return start < 0 ? {} : paramsOf(formPairs(url.slice(start + 1)));
}

/**
 * Merges the parameters of the body and of the query. If both have a value for a parameter, the query wins in a GET
 * request, and the body wins in other requests.
 */
const merged = (method: string, body: object, query: object): object =>
  method === 'GET' || method === 'HEAD'
    ? { ...present(body), ...present(query) }
    : { ...present(query), ...present(body) };

const present = (params: object): object =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => !isAbsent(value)));

/** Matches the name of the charset UTF-8 with or without the dash, because clients write it in both ways. */
const UTF8 = /^utf-?8$/i;

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

const JSON_TYPE = /^(?:application|text)\/(?:json|[\w.-]+\+json)$/;

/**
 * Content types that some clients send with JSON by mistake. A body of one of these types is parsed
 * as JSON if it begins with `{` or `[`.
 */
const SNIFFED_TYPES = new Set(['', 'application/x-www-form-urlencoded', 'text/plain']);

const OPENING = /^[\s\uFEFF]*[{[]/;

const OPENING_LENGTH = 1024;

/** Parses a body in any format that v3 clients send (docs/decisions/0007). */
async function bodyParams(bytes: Buffer, contentType = ''): Promise<object> {
  if (!UTF8.test(CHARSET.exec(contentType)?.[1] ?? 'utf-8')) {
    throw new UnsupportedBodyError();
  }
  if (bytes.length === 0) {
    return {};
  }
  const spelling = spellingOf(contentType, bytes);
  if (spelling === 'multipart') {
    return paramsOf(await multipartPairs(bytes, contentType));
  }
  return spelling === 'json' ? jsonParams(bytes) : paramsOf(formPairs(bytes.toString('latin1')));
}

function spellingOf(contentType: string, bytes: Buffer): 'json' | 'form' | 'multipart' {
  const type = contentType.split(';', 1).join('').trim().toLowerCase();
  if (JSON_TYPE.test(type)) {
    return 'json';
  }
  if (type === 'multipart/form-data') {
    return 'multipart';
  }
  if (!SNIFFED_TYPES.has(type)) {
    throw new UnsupportedBodyError();
  }
  return OPENING.test(bytes.toString('utf8', 0, OPENING_LENGTH)) ? 'json' : 'form';
}

function jsonParams(bytes: Buffer): object {
  refuseHostileBytes(bytes);
  const value = parsed(bytes.toString());
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new MalformedBodyError('The body must be one JSON object.');
  }
  return value;
}

/** Parses JSON text. `trim` removes the byte order mark that some clients send. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text.trim());
  } catch {
    throw new MalformedBodyError('The body is not valid JSON.');
  }
}
