import type { ErrorCode } from './error.catalogue.js';

/** A refusal that the client can understand. It knows a code and a sentence, and nothing of HTTP. */
export abstract class DomainError extends Error {
  abstract readonly code: ErrorCode;

  /** Seconds after which the same request may succeed. */
  readonly retryAfterSeconds?: number;

  /** One sentence for each fault, where a request can have several. */
  readonly faults?: readonly string[];
}
