import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

import { ImportJob } from './import-job.entity.js';

/** A part of an uploaded import file. The parts of a file are deleted when its import ends. */
@Entity('import_chunks')
export class ImportChunk {
  @PrimaryColumn('bigint')
  importId!: string;

  @ManyToOne(() => ImportJob, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'import_id' })
  import!: Relation<ImportJob>;

  /** The index of the part within the uploaded file, starting at 0. */
  @PrimaryColumn('integer')
  place!: number;

  @Column('bytea')
  bytes!: Buffer;
}
