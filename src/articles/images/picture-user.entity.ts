import { Column, Entity, Index, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';

import { User } from '../../auth/entities/user.entity.js';

/** How far the stored pictures follow the list of a user (docs/decisions/0144). */
@Entity('picture_users')
@Index('picture_users_due_idx', ['userId'], { where: 'changes <> handled' })
@Index('picture_users_full_idx', ['userId'], { where: 'is_full' })
export class PictureUser {
  @PrimaryColumn('bigint')
  userId!: string;

  @OneToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  user!: Relation<User>;

  /** Incremented when an item gets a page, and when a picture of the user is stored. */
  @Column('bigint', { default: 1 })
  changes!: string;

  /** The value of `changes` when all pictures of the user were listed and counted. */
  @Column('bigint', { default: 0 })
  handled!: string;

  /** The list version and the id of the last item whose pictures were listed. */
  @Column('bigint', { default: 0 })
  version!: string;

  @Column('bigint', { default: 0 })
  itemId!: string;

  /** The pages that were fetched again for items that did not change, so the items have no new version. */
  @Column('bigint', { array: true, default: '{}' })
  pageIds!: string[];

  /** True if the storage of the user has no room for more pictures. */
  @Column('boolean', { default: false })
  isFull!: boolean;
}
