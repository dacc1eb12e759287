import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateConsumerKeys1763700200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE consumer_keys (
        id bigint GENERATED ALWAYS AS IDENTITY,
        name text NOT NULL,
        key_hash bytea NOT NULL,
        permissions text[] NOT NULL,
        dialect text NOT NULL DEFAULT 'standard',
        disabled_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT consumer_keys_pkey PRIMARY KEY (id),
        CONSTRAINT consumer_keys_key_hash_key UNIQUE (key_hash),
        CONSTRAINT consumer_keys_permissions_check CHECK (permissions <@ '{retrieve,add,modify}'),
        CONSTRAINT consumer_keys_dialect_check CHECK (dialect IN ('standard', 'classic'))
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE consumer_keys`);
  }
}
