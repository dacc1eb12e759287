import type { Response } from 'express';

import { ERROR_CATALOGUE } from '../common/error.catalogue.js';
import { accountErrorBody, type ErrorReport } from './error-report.js';

/** The paths, methods and error format of one of the APIs, such as the v3 API. */
export interface Protocol {
  /** Returns true if error responses for the path have the format of this API. */
  readonly isAt: (path: string) => boolean;
  /**
   * Returns true if the path is an endpoint of this API, which scripts of other origins may call.
   */
  readonly isCall: (path: string) => boolean;
  /** The HTTP methods that the endpoints of this API accept. */
  readonly methods: readonly string[];
  /** Sends an error response in the format of this API. */
  readonly answerError: (response: Response, report: ErrorReport) => void;
}

const protocols: Protocol[] = [];

/** Registers the paths, methods and error format of an API. Registering an API again is a no-op. */
export function registerProtocol(protocol: Protocol): void {
  if (!protocols.includes(protocol)) {
    protocols.push(protocol);
  }
}

/** Returns the API that has the path as an endpoint. Returns undefined if no API has such an endpoint. */
export const protocolOfCall = (path: string): Protocol | undefined =>
  protocols.find(({ isCall }) => isCall(path));

/** Returns true if error responses for the path have the format of an API. */
export const isApiPath = (path: string): boolean => protocols.some(({ isAt }) => isAt(path));

/** Sends an error response in the error format of the path. The default is the format of the account endpoints. */
export function answerError(response: Response, report: ErrorReport, path: string): void {
  const protocol = protocols.find(({ isAt }) => isAt(path));
  if (protocol === undefined) {
    response.status(ERROR_CATALOGUE[report.code].status).json(accountErrorBody(report));
  } else {
    protocol.answerError(response, report);
  }
}
