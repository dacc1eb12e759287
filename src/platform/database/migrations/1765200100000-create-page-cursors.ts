import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores the last position of clients that read a list page by page (docs/decisions/0032). The table is unlogged, so
 * that no read waits for a disk. The table has no foreign key to the list, because the check of the key would write to
 * the row of the list.
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
