import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates a table with the number of page requests of each user, for the hourly quota of fetched pages. Without the
 * table, the service would have to count all page requests of a user for each new page request (docs/decisions/0031).
 */
export class CreatePageQuotas1765100100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE page_quotas (
        user_id bigint NOT NULL,
        priority smallint NOT NULL,
        began_at timestamptz NOT NULL,
        taken integer NOT NULL,
        CONSTRAINT page_quotas_pkey PRIMARY KEY (user_id, priority),
        CONSTRAINT page_quotas_user_id_fkey FOREIGN KEY (user_id) REFERENCES lists (user_id) ON DELETE CASCADE
      ) WITH (fillfactor = 50)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE page_quotas`);
  }
}
