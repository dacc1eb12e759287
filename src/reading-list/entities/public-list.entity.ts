import {
  Column,
  Entity,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
  Unique,
} from 'typeorm';

import { User } from '../../auth/entities/user.entity.js';

/**
 * The public page of a saved list (docs/decisions/0120). No foreign key refers to the list, because the list may be on
 * another database server.
 */
@Entity('public_lists')
@Unique('public_lists_address_key', ['address'])
export class PublicList {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  user!: Relation<User>;

  @PrimaryColumn('uuid')
  listId!: string;

  /** The last part of the address of the page, in lower case. */
  @Column('text')
  address!: string;

  /** True if the page shows the notes of the user. */
  @Column('boolean', { default: false })
  showsNotes!: boolean;

  /** True if search engines may list the page. */
  @Column('boolean', { default: false })
  isIndexed!: boolean;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
