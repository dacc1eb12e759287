import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates a table of cursors for clients that request a list in pages (docs/decisions/0032). The
 * table is unlogged, so that a request never waits for a disk write. The table has no foreign key
 * to `lists`. Each check of the foreign key would lock the row of the list, and a row lock is a
 * write.
 */
export class CreatePageCursors1765200100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE UNLOGGED TABLE page_cursors (
        user_id bigint NOT NULL,
        question bytea NOT NULL,
        page_offset bigint NOT NULL,
        version bigint NOT NULL,
        position bytea NOT NULL,
        since bigint NOT NULL,
        total integer NOT NULL,
        readers smallint NOT NULL,
        noted_at timestamptz NOT NULL,
        CONSTRAINT page_cursors_pkey PRIMARY KEY (user_id, question, page_offset, version)
      ) WITH (fillfactor = 70)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE page_cursors`);
  }
}
