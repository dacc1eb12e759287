import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of logins, refused logins and changes of security (docs/decisions/0125). */
export class CreateAuditEntries1765603800000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE audit_entries (
        id bigint GENERATED ALWAYS AS IDENTITY,
        user_id bigint,
        actor text NOT NULL,
        actor_id bigint,
        kind text NOT NULL,
        at timestamptz NOT NULL DEFAULT now(),
        address text NOT NULL,
        device text NOT NULL,
        details jsonb NOT NULL,
        is_refusal boolean NOT NULL,
        count integer NOT NULL DEFAULT 1,
        slot text,
        CONSTRAINT audit_entries_pkey PRIMARY KEY (id),
        CONSTRAINT audit_entries_slot_key UNIQUE (slot)
      )`);
    await queryRunner.query(
      `CREATE INDEX audit_entries_user_id_is_refusal_id_idx ON audit_entries (user_id, is_refusal, id)`,
    );
    await queryRunner.query(
      `CREATE INDEX audit_entries_actor_id_id_idx ON audit_entries (actor_id, id) WHERE actor_id IS NOT NULL`,
    );
    await queryRunner.query(`CREATE INDEX audit_entries_kind_id_idx ON audit_entries (kind, id)`);
    await queryRunner.query(`CREATE INDEX audit_entries_at_idx ON audit_entries (at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE audit_entries`);
  }
}
