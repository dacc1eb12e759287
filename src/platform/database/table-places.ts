/**
 * The place of a table's rows in a database that is distributed over servers (docs/host/scaling.md). A `personal` table
 * stores all rows of one user on the same server. A `reference` table is copied to each server. A `local` table stays
 * on the server to which the service connects.
 */
export type TablePlace = 'personal' | 'reference' | 'local';

/** A table of the schema, the place of its rows, and the reason for this place. */
interface PlacedTable {
  readonly table: string;
  readonly place: TablePlace;
  readonly why: string;
}

const all = (place: TablePlace, tables: Readonly<Record<string, string>>): PlacedTable[] =>
  Object.entries(tables).map(([table, why]) => ({ table, place, why }));

/**
 * The column by which the rows of personal tables are distributed. Each key of a personal table contains this column.
 */
export const SHARD_COLUMN = 'user_id';

/** All tables of the schema. A table comes before the tables that have foreign keys to it. */
export const TABLE_PLACES: readonly PlacedTable[] = [
  ...all('local', {
    users: 'email addresses are unique across all users',
    identities: 'looked up by issuer and subject, before the user is known',
    second_factors: 'read together with the account at login',
    recovery_codes: 'belong to a second factor',
    passkeys: 'looked up by the identifier of the authenticator, before the user is known',
    spent_challenges: 'looked up by the hash of a challenge, before the user is known',
    sessions: 'looked up by the hash of a cookie, before the user is known',
    known_logins: 'read together with the account at login',
    backup_runs: 'the backups of the whole database, with no rows of users',
    audit_entries: 'written in the transactions that change accounts; listed across all users',
    security_mails: 'written in the transactions that change accounts; claimed across all users',
    refresh_tokens: 'looked up by the hash of a token, before the user is known',
    rotated_refresh_tokens: 'looked up by the hash of a token, before the user is known',
    one_time_links: 'looked up by the hash of a link; invitations have no user',
    consumer_keys: 'looked up by the hash of a key; most keys have no user',
    grants: 'looked up by the hash of a token, before the user is known',
    wallabag_tokens: 'looked up by the hash of a token, before the user is known',
    authorization_requests: 'looked up by the hash of a code, before a user has answered',
    feed_accesses: 'looked up by the feed token, before the user is known',
    public_lists: 'looked up by the address of the page, before the user is known',
    list_digests: 'the queue of digests of lists; due digests are claimed across all users',
    reader_preferences: 'one row per user, read together with the account',
    e_reader_settings: 'the queue of digests; due digests are claimed across all users',
  }),
  ...all('reference', {
    sync_eras: 'a few rows that every query of a list needs',
  }),
  ...all('personal', {
    lists: 'the write lock, the version and the counters of a list',
    items: 'the items of one list',
    tags: 'belong to one list',
    item_tags: 'belong to one list',
    item_search: 'belong to one list',
    item_texts: 'belong to one list and refer to its items',
    annotations: 'belong to one list and refer to its items',
    reading_positions: 'belong to one list and refer to its items',
    item_details: 'belong to one list and refer to its items',
    shared_items: 'belong to one list and refer to its items; a link is looked up on all servers',
    tag_colors: 'belong to one list',
    tag_moves: 'belong to one list; changed under the write lock of the list',
    tombstones: 'belong to one list',
    deleted_items: 'belong to one list',
    snapshots: 'belong to one list and refer to its items and to its trash',
    saved_lists: 'belong to one list',
    list_rules: 'belong to one list and refer to its saved lists',
    list_rule_items: 'belong to one list and refer to its rules and items',
    list_digest_items: 'belong to one list and refer to its saved lists',
    url_hashes: 'belong to one list',
    hashed_lists: 'belong to one list',
    import_changes: 'belong to one list; changed under the write lock of the list',
  }),
  ...all('local', {
    page_cursors: 'kept for eleven minutes; unlogged; written for several users at once',
    list_events: 'the queue of events; users with events are searched across all users',
    event_subscriptions: 'joined with the queue of events',
    list_rule_mails: 'the queue of mails by rules; mails are claimed across all users',
    due_texts: 'the queue of full-text search; due texts are claimed across all users',
    pages: 'one page serves all users who have saved the page; looked up by address',
    pictures: 'one picture serves all users and pages; fetched across all pages',
    page_pictures: 'belong to a page and to a picture',
    picture_users: 'a queue; users with changes are claimed across all users',
    picture_shares: 'looked up by the picture, across all users; refer to pictures',
    trashed_pictures: 'looked up by the picture, across all users; refer to pictures',
    page_requests: 'the queue of pages; requests are claimed across all users',
    page_quotas: 'written together with the queue of pages',
    host_pauses: 'read together with the queue of pages',
    sent_pages: 'a queue; rows that a process has left behind are claimed across all users',
    imports: 'a queue; imports are claimed across all users',
    import_chunks: 'belong to an import; deleted when the import ends',
    import_remarks: 'belong to an import',
    throttle_counters: 'counted by address and account; unlogged',
    call_counters: 'counted by user and key; unlogged; several calls are leased at once',
  }),
];

/**
 * Returns the names of the tables with the given place. Tables come before the tables that refer to
 * them by foreign keys.
 */
export const tablesAt = (place: TablePlace): string[] =>
  TABLE_PLACES.filter((one) => one.place === place).map(({ table }) => table);
