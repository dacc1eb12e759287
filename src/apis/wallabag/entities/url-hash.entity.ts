import { Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

import { List } from '../../../reading-list/entities/list.entity.js';

/**
 * Maps a URL hash to an item that may have the URL. The row stays if the item is deleted or gets another URL, so code
 * that reads the row must compare the item's URL.
 */
@Entity('url_hashes')
export class UrlHash {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => List, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  list!: Relation<List>;

  /** The first eight bytes of the SHA-1 of a URL, as a signed number. */
  @PrimaryColumn('bigint')
  hash!: string;

  @PrimaryColumn('bigint')
  itemId!: string;
}
