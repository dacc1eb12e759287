import { Entity, PrimaryColumn } from 'typeorm';

/**
 * A restore of the database from a backup. A client with an earlier `since` gets the whole list,
 * because it may know changes that were lost (docs/decisions/0033).
 */
@Entity('sync_eras')
export class SyncEra {
  /** The smallest `since` that is valid after the restore. */
  @PrimaryColumn('bigint')
  begins!: string;
}
