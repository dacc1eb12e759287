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

/** A connection does not keep its session, or a session does not keep its settings. */
export class SharedSessionsError extends Error {
  constructor() {
    super(
      'the connection pooler behind DATABASE_URL gives a connection the session of another: set its pool_mode to session for this database, or connect to PostgreSQL itself',
    );
  }
}
