import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

import { ImportJob } from './import-job.entity.js';

/** A row that was refused, or of which something was left out. */
@Entity('import_remarks')
export class ImportRowError {
  @PrimaryColumn('bigint')
  importId!: string;

  @ManyToOne(() => ImportJob, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'import_id' })
  import!: Relation<ImportJob>;

  @PrimaryColumn('integer')
  rowNumber!: number;

  /** Within an archive; empty for a file by itself. */
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

  /** The beginning of what stands there. */
  @Column('text')
  excerpt!: string;
}
