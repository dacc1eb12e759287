import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the tables of the rules of saved lists (docs/decisions/0121). */
export class CreateListRules1765603760000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE list_rules (
      user_id bigint NOT NULL,
      list_id uuid NOT NULL,
      actions jsonb NOT NULL,
      is_on boolean NOT NULL DEFAULT false,
      last_number integer NOT NULL DEFAULT 0,
      CONSTRAINT list_rules_pkey PRIMARY KEY (user_id, list_id),
      CONSTRAINT list_rules_list_id_fkey FOREIGN KEY (user_id, list_id) REFERENCES saved_lists (user_id, id)
        ON DELETE CASCADE
    )`);
    await queryRunner.query(`CREATE TABLE list_rule_items (
      user_id bigint NOT NULL,
      list_id uuid NOT NULL,
      item_id bigint NOT NULL,
      CONSTRAINT list_rule_items_pkey PRIMARY KEY (user_id, item_id, list_id),
      CONSTRAINT list_rule_items_list_id_fkey FOREIGN KEY (user_id, list_id)
        REFERENCES list_rules (user_id, list_id) ON DELETE CASCADE,
      CONSTRAINT list_rule_items_item_id_fkey FOREIGN KEY (user_id, item_id) REFERENCES items (user_id, item_id)
        ON DELETE CASCADE
    )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE list_rule_items`);
    await queryRunner.query(`DROP TABLE list_rules`);
    await queryRunner.query(`DELETE FROM event_subscriptions WHERE subscriber = 'rules'`);
  }
}
