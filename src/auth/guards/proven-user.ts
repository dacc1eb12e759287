import { InvalidCredentialsError } from '../auth.errors.js';

/** What passport found, or the refusal; a fault while looking (the database is away) stays what it is. */
export function provenUser<T>(error: unknown, user: T | false | null): T {
  if (error instanceof Error) {
    throw error;
  }
  if (user === false || user === null) {
    throw new InvalidCredentialsError();
  }
  return user;
}
