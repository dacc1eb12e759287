import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which address a deleted item had, if its id is not the id of that address (docs/decisions/0095). */
export class NoteAddressesOfTombstones1765602300000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE tombstones ADD COLUMN address_id bigint`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE tombstones DROP COLUMN address_id`);
  }
}
