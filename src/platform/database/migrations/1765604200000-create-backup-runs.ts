import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of scheduled backups (docs/decisions/0130). */
export class CreateBackupRuns1765604200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE backup_runs (
        due_at timestamptz NOT NULL,
        started_at timestamptz NOT NULL DEFAULT now(),
        leased_until timestamptz NOT NULL,
        lease uuid,
        attempts integer NOT NULL DEFAULT 0,
        ended_at timestamptz,
        file text,
        bytes bigint,
        failure text,
        told_at timestamptz,
        CONSTRAINT backup_runs_pkey PRIMARY KEY (due_at)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE backup_runs`);
  }
}
