import type { Response } from 'express';

import { ERROR_CATALOGUE } from '../common/error.catalogue.js';
import { accountErrorBody, type ErrorReport } from './error-report.js';

/** The paths, methods and error format of one of the APIs, such as the v3 API. */
export interface Protocol {
  /** Returns true if errors at the path have the format of this API. */
  readonly isAt: (path: string) => boolean;
  /** Returns true if the path is an API call, which scripts of other origins may make too. */
  readonly isCall: (path: string) => boolean;
  /** The HTTP methods that calls of this API may use. */
  readonly methods: readonly string[];
  /** Sends an error response in the format of this API. */
  readonly answerError: (response: Response, report: ErrorReport) => void;
}

const protocols: Protocol[] = [];

/** Registers the paths, methods and error format of an API. Registering it again is a no-op. */
export function registerProtocol(protocol: Protocol): void {
  if (!protocols.includes(protocol)) {
    protocols.push(protocol);
  }
}

/** Returns the API to which a path belongs. Returns undefined if the path is not an API call. */
export const protocolOfCall = (path: string): Protocol | undefined =>
  protocols.find(({ isCall }) => isCall(path));

/** Sends an error response in the format of the API at the path. The default is the format of the account endpoints. */
export function answerError(response: Response, report: ErrorReport, path: string): void {
  const protocol = protocols.find(({ isAt }) => isAt(path));
  if (protocol === undefined) {
    response.status(ERROR_CATALOGUE[report.code].status).json(accountErrorBody(report));
  } else {
    protocol.answerError(response, report);
  }
}
