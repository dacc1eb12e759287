import { Entity, PrimaryColumn } from 'typeorm';

/** A restore of the database. `since` values from before it refer to changes that may be lost (docs/decisions/0033). */
@Entity('sync_eras')
export class SyncEra {
  /** The smallest `since` that this database returns after the restore. */
  @PrimaryColumn('bigint')
  begins!: string;
}
