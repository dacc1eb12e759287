import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the outbox of mails about changes of security (docs/decisions/0131). */
export class CreateSecurityMails1765604300000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE security_mails (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        user_id bigint,
        email text NOT NULL,
        language text,
        time_zone text,
        date_format text,
        has_password boolean NOT NULL,
        audience text NOT NULL,
        kind text NOT NULL,
        actor text NOT NULL,
        address text NOT NULL,
        device text NOT NULL,
        details jsonb NOT NULL,
        at timestamptz NOT NULL DEFAULT now(),
        due_at timestamptz NOT NULL DEFAULT now(),
        attempts smallint NOT NULL DEFAULT 0,
        CONSTRAINT security_mails_pkey PRIMARY KEY (id),
        CONSTRAINT security_mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE SET NULL
      )`);
    await queryRunner.query(`CREATE INDEX security_mails_due_at_idx ON security_mails (due_at)`);
    await queryRunner.query(`CREATE INDEX security_mails_user_id_idx ON security_mails (user_id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE security_mails`);
  }
}
