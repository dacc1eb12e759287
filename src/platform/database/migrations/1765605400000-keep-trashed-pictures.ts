import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  `CREATE TABLE trashed_pictures (
    user_id bigint NOT NULL,
    item_id bigint NOT NULL,
    picture_id bigint NOT NULL,
    CONSTRAINT trashed_pictures_pkey PRIMARY KEY (user_id, item_id, picture_id),
    CONSTRAINT trashed_pictures_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT trashed_pictures_picture_id_fkey FOREIGN KEY (picture_id) REFERENCES pictures (picture_id) ON DELETE CASCADE
  )`,
  `CREATE INDEX trashed_pictures_picture_id_idx ON trashed_pictures (picture_id)`,
];

/** Creates the table of the pictures that private pages in the trash show (docs/decisions/0139). */
export class KeepTrashedPictures1765605400000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) {
      await queryRunner.query(statement);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE trashed_pictures`);
  }
}
