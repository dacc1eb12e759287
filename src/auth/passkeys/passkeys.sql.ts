/*
 * The statements are raw SQL, because TypeORM does not return if an insert with ON CONFLICT has stored a row, and cannot
 * compare a column in two ways.
 */

/** Stores a spent challenge, unless it is already stored. */
export const SPEND = `
  INSERT INTO spent_challenges (hash, expires_at) VALUES ($1, to_timestamp($2))
  ON CONFLICT (hash) DO NOTHING RETURNING true AS is_new`;

/** Stores the use of a passkey. Returns no row if the counter has not grown. Authenticators without a counter report 0. */
export const NOTE_USE = `
  UPDATE passkeys SET counter = $2, last_used_at = now()
  WHERE id = $1 AND (counter < $2 OR counter = 0 AND $2 = 0) RETURNING true AS is_used`;
