import type { MigrationInterface, QueryRunner } from 'typeorm';

export class OwnConsumerKeys1765600900000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE consumer_keys ADD COLUMN owner_id bigint,
        ADD CONSTRAINT consumer_keys_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE`);
    await queryRunner.query(`CREATE INDEX consumer_keys_owner_id_idx ON consumer_keys (owner_id)`);
  }

  /** Reverts the migration. Deletes personal keys, because a key without an owner would be valid for all users. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM consumer_keys WHERE owner_id IS NOT NULL`);
    await queryRunner.query(`ALTER TABLE consumer_keys DROP COLUMN owner_id`);
  }
}
