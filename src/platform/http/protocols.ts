import type { Response } from 'express';

import { ERROR_CATALOGUE } from '../common/error.catalogue.js';
import { accountErrorBody, type ErrorReport } from './error-report.js';

/** How the clients of one API talk to the service. */
export interface Protocol {
  /** Whether errors at this path have the shape of the protocol. */
  readonly isAt: (path: string) => boolean;
  /** Whether programs call this path, those of other origins too; people see the others. */
  readonly isCall: (path: string) => boolean;
  /** The methods of its calls. */
  readonly methods: readonly string[];
  /** Ends an answer with an error. */
  readonly answerError: (response: Response, report: ErrorReport) => void;
}

const protocols: Protocol[] = [];

/** Has errors and methods at the paths of the protocol be its own. A protocol that is registered again changes nothing. */
export function registerProtocol(protocol: Protocol): void {
  if (!protocols.includes(protocol)) {
    protocols.push(protocol);
  }
}

/** The protocol whose programs call this path. */
export const protocolOfCall = (path: string): Protocol | undefined =>
  protocols.find(({ isCall }) => isCall(path));

/** Ends an answer with an error in the shape of its path: that of its protocol, or that of the account endpoints. */
export function answerError(response: Response, report: ErrorReport, path: string): void {
  const protocol = protocols.find(({ isAt }) => isAt(path));
  if (protocol === undefined) {
    response.status(ERROR_CATALOGUE[report.code].status).json(accountErrorBody(report));
  } else {
    protocol.answerError(response, report);
  }
}
