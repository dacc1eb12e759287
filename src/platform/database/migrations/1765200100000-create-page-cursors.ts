import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Where the pages of lists ended that clients are reading (docs/decisions/0032). Unlogged, so that no read waits for
 * a disk; without a reference to the list, whose check would write to its row.
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
