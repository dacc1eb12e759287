import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of annotations. If an item is deleted, its annotations are deleted too (docs/decisions/0021). */
export class CreateAnnotations1764100100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE annotations (
      user_id bigint NOT NULL,
      annotation_id text COLLATE "C" NOT NULL,
      item_id bigint NOT NULL,
      quote text NOT NULL,
      patch text NOT NULL,
      version text NOT NULL,
      created_at bigint NOT NULL,
      CONSTRAINT annotations_pkey PRIMARY KEY (user_id, annotation_id),
      CONSTRAINT annotations_item_id_fkey FOREIGN KEY (user_id, item_id) REFERENCES items (user_id, item_id)
        ON DELETE CASCADE
    )`);
    await queryRunner.query(
      `CREATE INDEX annotations_item_idx ON annotations (user_id, item_id, created_at)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE annotations`);
  }
}
