import { Entity, PrimaryColumn } from 'typeorm';

/**
 * A restore of the database. A `since` from before the restore may refer to changes that are lost
 * (docs/decisions/0033).
 */
@Entity('sync_eras')
export class SyncEra {
  /** The smallest `since` that is valid after the restore. */
  @PrimaryColumn('bigint')
  begins!: string;
}
