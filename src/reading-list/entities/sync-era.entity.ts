import { Entity, PrimaryColumn } from 'typeorm';

/**
 * A restore of the database from a backup, or a clock that was set back. A client with an earlier `since` gets the
 * whole list, because it may know changes that were lost, or lack later ones (docs/decisions/0033, 0143).
 */
@Entity('sync_eras')
export class SyncEra {
  /** The smallest `since` that is valid afterwards. */
  @PrimaryColumn('bigint')
  begins!: string;
}
