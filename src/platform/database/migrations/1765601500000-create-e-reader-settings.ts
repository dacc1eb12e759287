import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates a table with users' settings for articles that are mailed to e-readers (docs/decisions/0073). */
export class CreateEReaderSettings1765601500000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE e_reader_settings (
        user_id bigint NOT NULL,
        address text NOT NULL,
        archives boolean NOT NULL,
        minute_of_day smallint NOT NULL,
        time_zone text NOT NULL,
        weekdays smallint[] NOT NULL,
        most_articles smallint NOT NULL,
        only_new boolean NOT NULL,
        last_number integer NOT NULL DEFAULT 0,
        next_digest_at timestamptz,
        last_sent_at timestamptz,
        last_sent text NOT NULL DEFAULT '',
        last_failed_at timestamptz,
        last_error text NOT NULL DEFAULT '',
        CONSTRAINT e_reader_settings_pkey PRIMARY KEY (user_id),
        CONSTRAINT e_reader_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
        CONSTRAINT e_reader_settings_time_check CHECK (minute_of_day BETWEEN 0 AND 1439),
        CONSTRAINT e_reader_settings_weekdays_check CHECK (weekdays <@ '{1,2,3,4,5,6,7}'),
        CONSTRAINT e_reader_settings_most_articles_check CHECK (most_articles BETWEEN 1 AND 100)
      )`);
    await queryRunner.query(`
      CREATE INDEX e_reader_settings_due_idx ON e_reader_settings (next_digest_at) WHERE next_digest_at IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE e_reader_settings`);
  }
}
