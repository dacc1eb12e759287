import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates tables for second factors, and for sessions that users can see and end one by one (docs/decisions/0063). */
export class CreateSessions1765600800000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE sessions (
        id bytea NOT NULL,
        user_id bigint NOT NULL,
        device text NOT NULL,
        address text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        last_used_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT sessions_pkey PRIMARY KEY (id),
        CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX sessions_user_id_idx ON sessions (user_id)`);
    await queryRunner.query(`
      CREATE TABLE second_factors (
        user_id bigint NOT NULL,
        secret text NOT NULL,
        last_used_step integer NOT NULL,
        confirmed_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT second_factors_pkey PRIMARY KEY (user_id),
        CONSTRAINT second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`
      CREATE TABLE recovery_codes (
        user_id bigint NOT NULL,
        code_hash bytea NOT NULL,
        CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
        CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES second_factors (user_id) ON DELETE CASCADE
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE recovery_codes`);
    await queryRunner.query(`DROP TABLE second_factors`);
    await queryRunner.query(`DROP TABLE sessions`);
  }
}
