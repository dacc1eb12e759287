import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A backup that the service has written by itself, or tried to write (docs/decisions/0130). */
@Entity('backup_runs')
export class BackupRun {
  /** The time of the schedule. Only one instance can add its row, so only one instance writes the backup. */
  @PrimaryColumn('timestamptz')
  dueAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  startedAt!: Date;

  /** The time until which the writing instance owns the run. It moves the time forward until the run ends. */
  @Column('timestamptz')
  leasedUntil!: Date;

  /** The attempt that owns the run. An instance that has lost its lease changes nothing. */
  @Column('uuid', { nullable: true })
  lease!: string | null;

  @Column('integer', { default: 0 })
  attempts!: number;

  /** Null while an instance writes the backup, or after the instance has crashed. */
  @Column('timestamptz', { nullable: true })
  endedAt!: Date | null;

  /** The path of the verified backup. Null unless the run has succeeded. */
  @Column('text', { nullable: true })
  file!: string | null;

  @Column('bigint', { nullable: true })
  bytes!: string | null;

  /** The reason of the latest failure. Null after a success. */
  @Column('text', { nullable: true })
  failure!: string | null;

  /** When administrators got a mail about the failure. */
  @Column('timestamptz', { nullable: true })
  toldAt!: Date | null;
}
