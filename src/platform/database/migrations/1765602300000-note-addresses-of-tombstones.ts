import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds a column to tombstones, which are the records of deleted items. The column contains the id
 * that Satchel computes from the address of the item, if the item had another id
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
