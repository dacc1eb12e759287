/**
 * The location of a table in a database that is distributed over servers (docs/host/scaling.md). The rows of a
 * `personal` table are on the shards of their users. A `reference` table is copied to each server. A `local` table
 * stays on the server that the service connects to.
 */
export type TablePlace = 'personal' | 'reference' | 'local';

/** A table of the schema, its location, and the reason for the location. */
interface PlacedTable {
  readonly table: string;
  readonly place: TablePlace;
  readonly why: string;
}

const all = (place: TablePlace, tables: Readonly<Record<string, string>>): PlacedTable[] =>
  Object.entries(tables).map(([table, why]) => ({ table, place, why }));

/** The column by which personal tables are distributed. Each key of a personal table contains this column. */
export const SHARD_COLUMN = 'user_id';

/** All tables of the schema. Each table is listed before the tables that have foreign keys to it. */
export const TABLE_PLACES: readonly PlacedTable[] = [
  ...all('local', {
    users: 'email addresses are unique over all users',
    identities: 'found by what an issuer calls a person, before the user is known',
    second_factors: 'read with the account at a login',
    recovery_codes: 'belong to a second factor',
    sessions: 'found by the hash of a cookie, before the user is known',
    known_logins: 'read with the account at a login',
    refresh_tokens: 'found by the hash of a token, before the user is known',
    rotated_refresh_tokens: 'found by the hash of a token, before the user is known',
    one_time_links: 'found by the hash of a link; invitations have no user',
    consumer_keys: 'found by the hash of a key; most have no user',
    grants: 'found by the hash of a token, before the user is known',
    wallabag_tokens: 'found by the hash of a token, before the user is known',
    authorization_requests: 'found by the hash of a code, before a user has answered',
    feed_accesses: 'found by what stands in a feed address, before the user is known',
    reader_preferences: 'a row a user, read with the account',
    e_reader_settings: 'the queue of digests: what is due is claimed over all users',
  }),
  ...all('reference', {
    sync_eras: 'a few rows, which each reading of a list compares itself with',
  }),
  ...all('personal', {
    lists: 'the lock of the writers of a list, its version and its counters',
    items: 'the list itself',
    tags: 'of one list',
    item_tags: 'of one list',
    item_search: 'of one list',
    item_texts: 'of one list; refers to its items',
    annotations: 'of one list; refers to its items',
    reading_positions: 'of one list; refers to its items',
    item_details: 'of one list; refers to its items',
    tag_moves: 'of one list; changed under its lock',
    tombstones: 'of one list',
    deleted_items: 'of one list',
    url_hashes: 'of one list',
    hashed_lists: 'of one list',
  }),
  ...all('local', {
    page_cursors: 'kept for eleven minutes, unlogged, written for several users at once',
    due_texts: 'the queue of full-text search: what is due is claimed over all users',
    pages: 'one page serves all users who have saved it; found by its address',
    page_requests: 'the queue of pages: requests are claimed over all users',
    page_quotas: 'written with the queue of pages',
    host_pauses: 'read with the queue of pages',
    sent_pages: 'a queue: what a process has left is claimed over all users',
    imports: 'a queue: imports are claimed over all users',
    import_chunks: 'belong to an import, until it ends',
    import_remarks: 'belong to an import',
    throttle_counters: 'counted by address and account, unlogged',
    call_counters: 'counted by user and key, unlogged, leased for several at once',
  }),
];

/** Returns the names of the tables at a location, in an order in which the tables can be distributed. */
export const tablesAt = (place: TablePlace): string[] =>
  TABLE_PLACES.filter((one) => one.place === place).map(({ table }) => table);
