import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

import { ImportJob } from './import-job.entity.js';

/** A row of an imported file that was refused, was only partly imported, or was merged with an earlier row. */
@Entity('import_remarks')
export class ImportRowError {
  @PrimaryColumn('bigint')
  importId!: string;

  @ManyToOne(() => ImportJob, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'import_id' })
  import!: Relation<ImportJob>;

  @PrimaryColumn('integer')
  rowNumber!: number;

  /** The path of the imported file within its archive. Empty if the file is not in an archive. */
  @Column('text')
  path!: string;

  @Column('integer')
  line!: number;

  @Column('boolean')
  isRefused!: boolean;

  /** True if the row was imported completely, and was merged with an earlier row that contains the same page. */
  @Column('boolean', { default: false })
  isMerged!: boolean;

  @Column('text')
  reason!: string;

  /** The beginning of the row's URL or text, so that the user can find the row. */
  @Column('text')
  excerpt!: string;
}
