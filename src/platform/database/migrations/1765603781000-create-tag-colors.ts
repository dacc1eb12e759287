import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of the colors of tags (docs/decisions/0111). */
export class CreateTagColors1765603781000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE tag_colors (
      user_id bigint NOT NULL,
      tag_id bigint NOT NULL,
      color text NOT NULL,
      CONSTRAINT tag_colors_pkey PRIMARY KEY (user_id, tag_id),
      CONSTRAINT tag_colors_user_id_fkey FOREIGN KEY (user_id) REFERENCES lists (user_id) ON DELETE CASCADE
    )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE tag_colors`);
  }
}
