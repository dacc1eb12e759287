import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

import { ImportJob } from './import-job.entity.js';

/** A piece of an uploaded file, which is deleted when the import ends. */
@Entity('import_chunks')
export class ImportChunk {
  @PrimaryColumn('bigint')
  importId!: string;

  @ManyToOne(() => ImportJob, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'import_id' })
  import!: Relation<ImportJob>;

  /** The index of the piece within the file, from 0. */
  @PrimaryColumn('integer')
  place!: number;

  @Column('bytea')
  bytes!: Buffer;
}
