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

/**
 * The time in milliseconds within which the file of an upload must begin. The credentials come before the file. A
 * client without valid credentials can therefore occupy a connection only for this time.
 */
const BEFORE_FILE_MS = 15_000;
const BROKEN = 'The multipart body is malformed.';
const NOT_LAST = 'file must be one, and come after all other parameters';

/**
 * Parses the fields of a multipart body up to its file, and stores the fields in `request.body`.
 * The request handler can then authenticate the user before it reads the file.
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

/**
 * Passes the request to the parser. Does not use `pipeline`, because `pipeline` would close the connection after an
 * error, and the error response needs the connection.
 */
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

/**
 * Returns the bytes of the uploaded file. At the end of the file, the iteration throws an error if other parameters
 * follow the file, because these parameters would be ignored.
 */
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
  // Without this listener, an error event would crash the process. The code that iterates over the file still gets the
  // error.
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
 * Rejects an upload if its file does not begin in time, or if the connection is idle for too long.
 * The caller must call the returned function when the file begins.
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
    // Rejects the upload only after all received bytes are read. Unread bytes mean that the service is slow, not the
    // client.
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

/** Returns a function that calls `next` at most once, and only if no response has been sent. */
function onceOnly(response: Response, next: NextFunction): (error?: unknown) => void {
  let isCalled = false;
  return (error) => {
    if (!isCalled && !response.headersSent) {
      isCalled = true;
      next(error);
    }
  };
}

/**
 * Closes the connection after a response that was sent before the end of the upload, because the client may still be
 * sending.
 */
function endWithResponse(request: Request, response: Response): void {
  response.once('finish', () => {
    if (!request.complete) {
      request.unpipe();
      request.resume();
      // Node does not end a request whose response was sent before the body was complete. Destroy
      // the request, so that the code that reads the file does not wait forever.
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

/** A file that a client is sending. */
export interface Upload {
  readonly fileName: string;
  /**
   * The bytes of the file. The iteration throws MalformedBodyError if the body is incomplete, and ValidationFailedError
   * if other parameters follow the file.
   */
  readonly file: AsyncIterable<Buffer>;
}

declare module 'express' {
  interface Request {
    /** The file of an upload request. The middleware `uploadBody` sets it if the body contains a file. */
    upload?: Upload;
  }
}
