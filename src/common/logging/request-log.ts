import { randomUUID } from 'node:crypto';

import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';

import { withoutValues } from './logger.js';

/**
 * Gives every request an id, sends it back as `X-Request-Id`, and logs one line when the request ends.
 * Headers, bodies and query strings stay out of the log: they carry passwords, tokens and keys.
 */
export function requestLog(logger: Logger): RequestHandler {
  return pinoHttp<Request, Response>({
    logger,
    quietReqLogger: true,
    genReqId: (_request, response) => {
      const id = randomUUID();
      response.setHeader('X-Request-Id', id);
      return id;
    },
    customLogLevel: () => 'info',
    customSuccessMessage: () => 'request',
    customErrorMessage: () => 'request',
    // Why a request failed is logged where that is known; here pino-http would only invent an error.
    customErrorObject: (_request, _response, _error, facts: object) => ({
      ...facts,
      err: undefined,
    }),
    serializers: {
      err: withoutValues,
      req: ({ method, raw }: { method: string; raw: Request }) => ({
        method,
        path: raw.path,
        from: raw.ip,
      }),
      res: ({ statusCode }: { statusCode: number }) => ({ status: statusCode }),
    },
  });
}
