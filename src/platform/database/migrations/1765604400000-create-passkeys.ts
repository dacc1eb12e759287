import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the tables of passkeys and of the challenges that they have answered (docs/decisions/0132). */
export class CreatePasskeys1765604400000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE passkeys (
        id bigint GENERATED ALWAYS AS IDENTITY,
        user_id bigint NOT NULL,
        credential_id bytea NOT NULL,
        public_key bytea NOT NULL,
        counter bigint NOT NULL DEFAULT 0,
        transports text[] NOT NULL,
        name text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        last_used_at timestamptz,
        CONSTRAINT passkeys_pkey PRIMARY KEY (id),
        CONSTRAINT passkeys_credential_id_key UNIQUE (credential_id),
        CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX passkeys_user_id_idx ON passkeys (user_id)`);
    await queryRunner.query(`
      CREATE TABLE spent_challenges (
        hash bytea NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT spent_challenges_pkey PRIMARY KEY (hash)
      )`);
    await queryRunner.query(
      `CREATE INDEX spent_challenges_expires_at_idx ON spent_challenges (expires_at)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE spent_challenges`);
    await queryRunner.query(`DROP TABLE passkeys`);
  }
}
