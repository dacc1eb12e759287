import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of views that users have saved under a name (docs/decisions/0119). */
export class CreateSavedLists1765603740000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE saved_lists (
      user_id bigint NOT NULL,
      id uuid NOT NULL DEFAULT gen_random_uuid(),
      name text NOT NULL,
      name_key text NOT NULL,
      conditions jsonb NOT NULL,
      place integer NOT NULL,
      is_pinned boolean NOT NULL DEFAULT false,
      feed text,
      is_shelf boolean NOT NULL DEFAULT false,
      deleted_at timestamptz,
      CONSTRAINT saved_lists_pkey PRIMARY KEY (user_id, id),
      CONSTRAINT saved_lists_user_id_fkey FOREIGN KEY (user_id) REFERENCES lists (user_id) ON DELETE CASCADE
    )`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX saved_lists_name_key ON saved_lists (user_id, name_key) WHERE deleted_at IS NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE saved_lists`);
  }
}
