import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the id that is computed from a deleted item's address, for items whose own id is different
 * (docs/decisions/0095).
 */
export class NoteAddressesOfTombstones1765602300000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE tombstones ADD COLUMN address_id bigint`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE tombstones DROP COLUMN address_id`);
  }
}
