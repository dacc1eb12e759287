import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the queue of articles that rules send to e-readers (docs/decisions/0121). */
export class CreateListRuleMails1765603761000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE list_rule_mails (
      user_id bigint NOT NULL,
      item_id bigint NOT NULL,
      queued_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT list_rule_mails_pkey PRIMARY KEY (user_id, item_id),
      CONSTRAINT list_rule_mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
    )`);
    await queryRunner.query(
      `CREATE INDEX list_rule_mails_queued_at_idx ON list_rule_mails (queued_at)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE list_rule_mails`);
  }
}
