import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates a table with each user's settings for the look of articles. A user without a row has the default settings
 * (docs/decisions/0057).
 */
export class CreateReaderPreferences1765600300000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE reader_preferences (
      user_id bigint NOT NULL,
      theme text NOT NULL DEFAULT 'auto',
      size text NOT NULL DEFAULT 'medium',
      width text NOT NULL DEFAULT 'medium',
      face text NOT NULL DEFAULT 'serif',
      spacing text NOT NULL DEFAULT 'normal',
      CONSTRAINT reader_preferences_pkey PRIMARY KEY (user_id),
      CONSTRAINT reader_preferences_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
    )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE reader_preferences`);
  }
}
