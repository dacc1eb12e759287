import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

import { ImportJob } from './import-job.entity.js';

/** A row that was refused, incomplete or merged. */
@Entity('import_remarks')
export class ImportRowError {
  @PrimaryColumn('bigint')
  importId!: string;

  @ManyToOne(() => ImportJob, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'import_id' })
  import!: Relation<ImportJob>;

  @PrimaryColumn('integer')
  rowNumber!: number;

  /** The path within an archive. Empty for a file that is not in an archive. */
  @Column('text')
  path!: string;

  @Column('integer')
  line!: number;

  @Column('boolean')
  isRefused!: boolean;

  /** The row is complete, and shares its item with an earlier row. */
  @Column('boolean', { default: false })
  isMerged!: boolean;

  @Column('text')
  reason!: string;

  /** The beginning of the URL or the text of the row. */
  @Column('text')
  excerpt!: string;
}
