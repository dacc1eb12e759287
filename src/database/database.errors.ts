/** No connection to the database could be opened; the cause tells why. */
export class NoConnectionError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** The database owes an answer, and sent nothing for longer than any statement may take. */
export class SilentDatabaseError extends Error {
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('connection terminated: the database did not answer in time');
  }
}
