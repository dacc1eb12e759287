import type { Response } from 'express';

import { ERROR_CATALOGUE } from '../common/error.catalogue.js';
import { accountErrorBody, type ErrorReport } from './error-report.js';

/** The paths, methods and error format of one API. */
export interface Protocol {
  /** Returns true if errors at the path use the format of this protocol. */
  readonly isAt: (path: string) => boolean;
  /** Returns true if the path is an API call, which web clients of other origins may make too. */
  readonly isCall: (path: string) => boolean;
  /** The allowed HTTP methods of the calls. */
  readonly methods: readonly string[];
  /** Sends an error response. */
  readonly answerError: (response: Response, report: ErrorReport) => void;
}

const protocols: Protocol[] = [];

/** Adds a protocol. Adding the same protocol again is a no-op. */
export function registerProtocol(protocol: Protocol): void {
  if (!protocols.includes(protocol)) {
    protocols.push(protocol);
  }
}

/** Returns the protocol of an API call. */
export const protocolOfCall = (path: string): Protocol | undefined =>
  protocols.find(({ isCall }) => isCall(path));

/**
 * Sends an error response in the format of the protocol at the path. A path without a protocol has the format of the
 * account endpoints.
 */
export function answerError(response: Response, report: ErrorReport, path: string): void {
  const protocol = protocols.find(({ isAt }) => isAt(path));
  if (protocol === undefined) {
    response.status(ERROR_CATALOGUE[report.code].status).json(accountErrorBody(report));
  } else {
    protocol.answerError(response, report);
  }
}
