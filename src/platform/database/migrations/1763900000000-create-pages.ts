import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = [
  `CREATE TABLE pages (
    page_id bigint GENERATED ALWAYS AS IDENTITY,
    page_key bytea NOT NULL,
    url text NOT NULL,
    host text NOT NULL,
    owner_id bigint,
    item_id bigint,
    attempts smallint NOT NULL DEFAULT 0,
    retry_at timestamptz,
    leased_until timestamptz,
    lease uuid,
    failure text,
    fetched_at timestamptz,
    first_fetched_at timestamptz,
    fresh_until timestamptz,
    etag text,
    last_modified text,
    content json,
    article bytea,
    CONSTRAINT pages_pkey PRIMARY KEY (page_id),
    CONSTRAINT pages_page_key_key UNIQUE (page_key),
    CONSTRAINT pages_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES lists (user_id) ON DELETE CASCADE,
    CONSTRAINT pages_owner_check CHECK ((owner_id IS NULL) = (item_id IS NULL))
  )`,
  `CREATE TABLE page_requests (
    user_id bigint NOT NULL,
    item_id bigint NOT NULL,
    page_key bytea NOT NULL,
    url text NOT NULL,
    host text NOT NULL,
    priority smallint NOT NULL,
    turn integer NOT NULL,
    page_id bigint,
    requested_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT page_requests_pkey PRIMARY KEY (user_id, item_id),
    CONSTRAINT page_requests_user_id_fkey FOREIGN KEY (user_id) REFERENCES lists (user_id) ON DELETE CASCADE
  )`,
  `CREATE TABLE host_pauses (
    host text NOT NULL,
    until timestamptz NOT NULL,
    CONSTRAINT host_pauses_pkey PRIMARY KEY (host)
  )`,
];

const INDEXES = [
  `CREATE INDEX pages_owner_idx ON pages (owner_id, item_id) WHERE owner_id IS NOT NULL`,
  `CREATE INDEX pages_leased_idx ON pages (host) WHERE leased_until IS NOT NULL`,
  `CREATE INDEX page_requests_queue_idx ON page_requests (priority, turn, requested_at) WHERE page_id IS NULL`,
  `CREATE INDEX page_requests_ready_idx ON page_requests (user_id) WHERE page_id IS NOT NULL`,
  `CREATE INDEX page_requests_page_key_idx ON page_requests (page_key)`,
];

/**
 * Creates the table of web pages. Each page is fetched once for all users. The items that wait for a page are in the
 * table `page_requests` (docs/decisions/0046).
 */
export class CreatePages1763900000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...INDEXES]) {
      await queryRunner.query(statement);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE host_pauses, page_requests, pages`);
  }
}
