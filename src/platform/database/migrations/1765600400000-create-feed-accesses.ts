import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateFeedAccesses1765600400000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE feed_accesses (
        user_id bigint NOT NULL,
        feed_id uuid NOT NULL DEFAULT gen_random_uuid(),
        access_id bytea,
        issued_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT feed_accesses_pkey PRIMARY KEY (user_id),
        CONSTRAINT feed_accesses_access_id_key UNIQUE (access_id),
        CONSTRAINT feed_accesses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE feed_accesses`);
  }
}
