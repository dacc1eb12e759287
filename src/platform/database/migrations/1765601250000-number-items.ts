import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Numbers the items of each list in the order in which they were added, then the tags of the list,
 * and then its annotations (docs/decisions/0069).
 */
const NUMBER_ALL = [
  `UPDATE items SET number = row.number FROM (
     SELECT user_id, item_id, row_number() OVER (PARTITION BY user_id ORDER BY added_order, item_id) AS number
     FROM items) row
   WHERE items.user_id = row.user_id AND items.item_id = row.item_id`,
  `UPDATE lists SET numbers = given FROM (
     SELECT user_id, count(*) AS given FROM items GROUP BY user_id) counted
   WHERE lists.user_id = counted.user_id`,
  `UPDATE tags SET number = row.number FROM (
     SELECT user_id, tag_id, numbers + row_number() OVER (PARTITION BY user_id ORDER BY tag_id) AS number
     FROM tags JOIN lists USING (user_id)) row
   WHERE tags.user_id = row.user_id AND tags.tag_id = row.tag_id`,
  `UPDATE lists SET numbers = numbers + given FROM (
     SELECT user_id, count(*) AS given FROM tags GROUP BY user_id) counted
   WHERE lists.user_id = counted.user_id`,
  `UPDATE annotations SET updated_at = created_at, number = row.number FROM (
     SELECT user_id, annotation_id,
       numbers + row_number() OVER (PARTITION BY user_id ORDER BY created_at, annotation_id) AS number
     FROM annotations JOIN lists USING (user_id)) row
   WHERE annotations.user_id = row.user_id AND annotations.annotation_id = row.annotation_id`,
  `UPDATE lists SET numbers = numbers + given FROM (
     SELECT user_id, count(*) AS given FROM annotations GROUP BY user_id) counted
   WHERE lists.user_id = counted.user_id`,
];

/** Assigns numbers to deleted items and their annotations too, because a user may restore them. */
const NUMBER_DELETED = [
  `WITH numbered AS (
     SELECT user_id, item_id, numbers + row_number() OVER (PARTITION BY user_id ORDER BY item_id) AS number
     FROM deleted_items JOIN lists USING (user_id)
   ), items AS (
     UPDATE deleted_items SET item = (item::jsonb || jsonb_build_object('number', number))::json
     FROM numbered WHERE deleted_items.user_id = numbered.user_id AND deleted_items.item_id = numbered.item_id
     RETURNING deleted_items.user_id
   )
   UPDATE lists SET numbers = numbers + given FROM (
     SELECT user_id, count(*) AS given FROM items GROUP BY user_id) counted
   WHERE lists.user_id = counted.user_id`,
  `WITH elements AS (
     SELECT user_id, item_id, element,
       numbers + row_number() OVER (PARTITION BY user_id ORDER BY item_id, place) AS number
     FROM deleted_items JOIN lists USING (user_id)
       CROSS JOIN LATERAL jsonb_array_elements(annotations::jsonb) WITH ORDINALITY AS one (element, place)
   ), annotated AS (
     UPDATE deleted_items SET annotations = (
       SELECT json_agg(element || jsonb_build_object('number', number, 'updated_at', element->'created_at') ORDER BY number)
       FROM elements WHERE elements.user_id = deleted_items.user_id AND elements.item_id = deleted_items.item_id)
     WHERE json_array_length(annotations) > 0
   )
   UPDATE lists SET numbers = numbers + given FROM (
     SELECT user_id, count(*) AS given FROM elements GROUP BY user_id) counted
   WHERE lists.user_id = counted.user_id`,
];

export class NumberItems1765601250000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE lists ADD COLUMN numbers integer NOT NULL DEFAULT 0`);
    await queryRunner.query(`ALTER TABLE imports ADD COLUMN numbers_before integer`);
    await queryRunner.query(`ALTER TABLE items ADD COLUMN number integer`);
    await queryRunner.query(`ALTER TABLE tags ADD COLUMN number integer`);
    await queryRunner.query(
      `ALTER TABLE annotations ADD COLUMN number integer, ADD COLUMN updated_at bigint, ADD COLUMN ranges json`,
    );
    for (const statement of [...NUMBER_ALL, ...NUMBER_DELETED]) {
      await queryRunner.query(statement);
    }
    await queryRunner.query(`ALTER TABLE annotations ALTER COLUMN updated_at SET NOT NULL`);
    for (const table of ['items', 'tags', 'annotations']) {
      await queryRunner.query(`
        ALTER TABLE ${table} ALTER COLUMN number SET NOT NULL,
          ADD CONSTRAINT ${table}_user_id_number_key UNIQUE (user_id, number)`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE annotations DROP COLUMN number, DROP COLUMN updated_at, DROP COLUMN ranges`,
    );
    await queryRunner.query(`ALTER TABLE tags DROP COLUMN number`);
    await queryRunner.query(`ALTER TABLE items DROP COLUMN number`);
    await queryRunner.query(`ALTER TABLE lists DROP COLUMN numbers`);
    await queryRunner.query(`ALTER TABLE imports DROP COLUMN numbers_before`);
  }
}
