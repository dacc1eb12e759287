import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = `CREATE TABLE sent_pages (
    user_id bigint NOT NULL,
    item_id bigint NOT NULL,
    version uuid NOT NULL,
    url text NOT NULL,
    html bytea NOT NULL,
    attempts smallint NOT NULL DEFAULT 1,
    leased_until timestamptz NOT NULL,
    CONSTRAINT sent_pages_pkey PRIMARY KEY (user_id, item_id),
    CONSTRAINT sent_pages_user_id_fkey FOREIGN KEY (user_id) REFERENCES lists (user_id) ON DELETE CASCADE
  )`;

/** Creates the table of HTML pages that clients have sent and that are not parsed yet (docs/decisions/0049). */
export class CreateSentPages1764300100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(TABLE);
    await queryRunner.query(`CREATE INDEX sent_pages_leased_idx ON sent_pages (leased_until)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE sent_pages`);
  }
}
