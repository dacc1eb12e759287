import type { NextFunction, Request, RequestHandler, Response } from 'express';

import { RequestTimeoutError } from '../common/common.errors.js';
import { withoutSlash } from './at-path.js';
import type { ErrorReport } from './error-report.js';
import { answerError } from './protocols.js';
import { innerUrlOf } from './sub-path.js';

interface BodyLimits {
  /** The time in milliseconds in which a body must end, and the time between two checks of a large body. */
  readonly periodMs: number;
  /** The number of bytes of a large body that must arrive between two checks, to keep the connection. */
  readonly bytesPerPeriod: number;
  /** The maximum number of large bodies that arrive for longer than one period, in this process. */
  readonly mostLarge: number;
}

/**
 * The limits for bodies. A large body needs 128 KB per second, so a body of 12 MB takes at most 95 seconds. All large
 * bodies together use less than half of the memory for bodies (body-budget.ts).
 */
const LIMITS: BodyLimits = { periodMs: 15_000, bytesPerPeriod: 15 * 128_000, mostLarge: 4 };

interface BodyPaths {
  /** The paths of file uploads, which have no time limit here. */
  readonly uploads: readonly string[];
  /** The paths of large bodies, which have more time as long as they arrive fast enough. */
  readonly large: readonly string[];
}

/**
 * Rejects request bodies that arrive too slowly, because a slow body occupies a connection for a long time. File
 * uploads are exempt, because a large file may need a long time.
 */
export function bodyDeadline(
  { uploads, large }: BodyPaths,
  limits: Partial<BodyLimits> = {},
): RequestHandler {
  const deadlines = new Deadlines({ ...LIMITS, ...limits });
  return (request: Request, response: Response, next: NextFunction): void => {
    const path = withoutSlash(request.path);
    const isUpload = uploads.includes(path) && hasFile(request);
    if (!request.complete && hasBody(request) && !isUpload) {
      deadlines.watch(request, large.includes(path), () => {
        endUnlessComplete(request, response);
      });
    }
    next();
  };
}

class Deadlines {
  /** The large bodies that have arrived for longer than one period. */
  private readonly late = new Set<Request>();

  constructor(private readonly limits: BodyLimits) {}

  /** Calls `refuse` if the body has not ended after a period, unless it is large and arrives fast enough. */
  watch(request: Request, isLarge: boolean, refuse: () => void): void {
    let before = request.socket.bytesRead;
    const check = (): void => {
      const { bytesRead } = request.socket;
      if (isLarge && this.mayContinue(request, bytesRead - before)) {
        before = bytesRead;
        waiting = setTimeout(check, this.limits.periodMs).unref();
      } else {
        refuse();
      }
    };
    let waiting = setTimeout(check, this.limits.periodMs).unref();
    const end = (): void => {
      clearTimeout(waiting);
      this.late.delete(request);
    };
    request.once('end', end).once('close', end);
  }

  private mayContinue(request: Request, bytes: number): boolean {
    const hasRoom = this.late.has(request) || this.late.size < this.limits.mostLarge;
    const may = hasRoom && bytes >= this.limits.bytesPerPeriod && !request.destroyed;
    if (may) {
      this.late.add(request);
    }
    return may;
  }
}

const hasBody = ({ headers }: Request): boolean =>
  'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;

const hasFile = (request: Request): boolean => Boolean(request.is('multipart/form-data'));

function endUnlessComplete(request: Request, response: Response): void {
  if (!request.complete) {
    refuseUnread(request, response, new RequestTimeoutError());
  }
}

/** Sends an error response without reading the rest of the request body, and closes the connection. */
export function refuseUnread(request: Request, response: Response, report: ErrorReport): void {
  if (!response.headersSent) {
    response.set('Connection', 'close');
    if (report.retryAfterSeconds !== undefined) {
      response.set('Retry-After', String(report.retryAfterSeconds));
    }
    answerError(response, report, innerUrlOf(request).split('?', 1).join(''));
  }
  request.socket.destroySoon();
}
