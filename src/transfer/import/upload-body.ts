import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

import busboy from 'busboy';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

import {
  MalformedBodyError,
  RequestTimeoutError,
  ValidationFailedError,
} from '../../platform/common/common.errors.js';
import { refuseUnread } from '../../platform/http/body-deadline.js';
import { refuseHostileText } from '../../platform/http/text-gate.js';

const LIMITS = { fields: 20, fieldSize: 4096, fieldNameSize: 100, files: 1, parts: 25 } as const;

/** Credentials come before the file in a body: a client without them keeps the connection no longer than this. */
const BEFORE_FILE_MS = 15_000;
const BROKEN = 'The multipart body is malformed.';
const NOT_LAST = 'file must be one, and come after all other parameters';

/**
 * Reads a multipart body as far as its file, which the handler reads on: `request.body` has the fields that come
 * before it, so that the user is known before the file is read.
 */
export function uploadBody(beforeFileMs = BEFORE_FILE_MS): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (request.path !== '/' || request.is('multipart/form-data') !== 'multipart/form-data') {
      next();
      return;
    }
    const once = onceOnly(response, next);
    const fields: Record<string, string> = {};
    const parser = parserOf(request);
    const end = received(request, parser);
    parser.on('field', (name, value) => (fields[name] = value));
    const fileBegins = endStalled(request, response, beforeFileMs);
    parser.once('file', (_name, file, { filename }: { readonly filename?: string }) => {
      fileBegins();
      request.body = fields;
      request.upload = { file: lastOf(parser, file, end), fileName: filename ?? '' };
      once(textError(fields));
    });
    endWithResponse(request, response);
    end.then(() => {
      request.body = fields;
      once();
    }, once);
  };
}

/** As `pipeline`, which would take its socket from a request that fails: the answer needs that. */
async function received(request: Request, parser: busboy.Busboy): Promise<void> {
  request.once('close', () => {
    if (!request.complete) {
      parser.destroy(new Error('The request was broken off.'));
    }
  });
  try {
    await finished(request.pipe(parser));
  } catch (error) {
    throw new MalformedBodyError(BROKEN, { cause: error });
  }
}

/** The file, which ends with the body: what stood behind it would be overlooked. */
function lastOf(
  parser: busboy.Busboy,
  file: Readable,
  end: Promise<unknown>,
): AsyncIterable<Buffer> {
  let isLast = true;
  const more = (): void => {
    isLast = false;
  };
  parser.once('field', more).once('filesLimit', more);
  // The error reaches the reader through its iteration; an emitter without a listener would throw.
  file.on('error', () => undefined);
  return whole(file, async () => {
    await end;
    if (!isLast) {
      throw new ValidationFailedError([NOT_LAST]);
    }
  });
}

async function* whole(
  file: AsyncIterable<Buffer>,
  end: () => Promise<void>,
): AsyncGenerator<Buffer> {
  try {
    yield* file;
  } catch (error) {
    throw new MalformedBodyError(BROKEN, { cause: error });
  }
  await end();
}

/**
 * Refuses an upload when its file does not begin in time, like any body that does not end in time, and when it sends
 * nothing for as long as the server lets a connection be idle. Gives what to call when the file begins.
 */
function endStalled(request: Request, response: Response, beforeFileMs: number): () => void {
  const refuse = (): void => {
    refuseUnread(request, response, new RequestTimeoutError());
  };
  const waiting = setTimeout(refuse, beforeFileMs).unref();
  const stop = (): void => {
    clearTimeout(waiting);
  };
  response.once('close', stop);
  request.on('timeout', () => {
    // What is not read yet has been sent: the service is slow, and not the client.
    if (request.readableLength === 0) {
      refuse();
    }
  });
  return stop;
}

function textError(fields: object): unknown {
  try {
    refuseHostileText(fields);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** For a request that is not refused already. */
function onceOnly(response: Response, next: NextFunction): (error?: unknown) => void {
  let isCalled = false;
  return (error) => {
    if (!isCalled && !response.headersSent) {
      isCalled = true;
      next(error);
    }
  };
}

/** A client that is refused may still be sending: the rest is not waited for. */
function endWithResponse(request: Request, response: Response): void {
  response.once('finish', () => {
    if (!request.complete) {
      request.unpipe();
      request.resume();
      // Node ends a request that is answered without an event: the reader of its file gets the end here.
      request.socket.once('close', () => request.destroy()).destroySoon();
    }
  });
}

function parserOf({ headers }: Request): busboy.Busboy {
  try {
    return busboy({ headers, defParamCharset: 'utf8', limits: LIMITS });
  } catch {
    throw new MalformedBodyError('The multipart body has no boundary.');
  }
}

/** A file that is being sent. */
export interface Upload {
  readonly fileName: string;
  /** Throws MalformedBodyError where it breaks off, and ValidationFailedError where it is not all that was to come. */
  readonly file: AsyncIterable<Buffer>;
}

declare module 'express' {
  interface Request {
    /** Set by uploadBody, when the body has a file. */
    upload?: Upload;
  }
}
