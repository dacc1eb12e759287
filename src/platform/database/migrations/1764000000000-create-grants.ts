import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateGrants1764000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE grants (
        id bigint GENERATED ALWAYS AS IDENTITY,
        user_id bigint NOT NULL,
        consumer_key_id bigint NOT NULL,
        token_hash bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        last_used_at timestamptz,
        CONSTRAINT grants_pkey PRIMARY KEY (id),
        CONSTRAINT grants_token_hash_key UNIQUE (token_hash),
        CONSTRAINT grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
        CONSTRAINT grants_consumer_key_id_fkey FOREIGN KEY (consumer_key_id)
          REFERENCES consumer_keys (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(
      `CREATE INDEX grants_user_id_consumer_key_id_idx ON grants (user_id, consumer_key_id)`,
    );
    await queryRunner.query(`CREATE INDEX grants_consumer_key_id_idx ON grants (consumer_key_id)`);
    await queryRunner.query(`
      CREATE TABLE authorization_requests (
        code_hash bytea NOT NULL,
        consumer_key_id bigint NOT NULL,
        redirect_uri text NOT NULL,
        state text,
        expires_at timestamptz NOT NULL,
        user_id bigint,
        decision text,
        used_at timestamptz,
        CONSTRAINT authorization_requests_pkey PRIMARY KEY (code_hash),
        CONSTRAINT authorization_requests_consumer_key_id_fkey FOREIGN KEY (consumer_key_id)
          REFERENCES consumer_keys (id) ON DELETE CASCADE,
        CONSTRAINT authorization_requests_user_id_fkey FOREIGN KEY (user_id)
          REFERENCES users (id) ON DELETE CASCADE,
        CONSTRAINT authorization_requests_decision_check CHECK (decision IN ('authorized', 'rejected')),
        CONSTRAINT authorization_requests_used_check CHECK (used_at IS NULL OR decision = 'authorized')
      )`);
    for (const column of ['expires_at', 'consumer_key_id', 'user_id']) {
      await queryRunner.query(
        `CREATE INDEX authorization_requests_${column}_idx ON authorization_requests (${column})`,
      );
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE authorization_requests, grants`);
  }
}
