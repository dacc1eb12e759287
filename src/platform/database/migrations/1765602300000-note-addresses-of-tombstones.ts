import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores the address of a deleted item if the id of the item cannot be computed from the address (docs/decisions/0095).
 */
export class NoteAddressesOfTombstones1765602300000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE tombstones ADD COLUMN address_id bigint`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE tombstones DROP COLUMN address_id`);
  }
}
