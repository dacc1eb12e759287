import {
  Column,
  Entity,
  JoinColumn,
  OneToOne,
  PrimaryColumn,
  type Relation,
  Unique,
} from 'typeorm';

import { User } from '../../../auth/entities/user.entity.js';

/** The access of feed readers to the list of a user. The row is created with the first feed address of the user. */
@Entity('feed_accesses')
@Unique(['accessId'])
export class FeedAccess {
  @PrimaryColumn('bigint')
  userId!: string;

  @OneToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn()
  user!: Relation<User>;

  /** The seed of all entry ids. The seed never changes, so that a new feed address does not show old entries as new. */
  @Column('uuid', { default: () => 'gen_random_uuid()' })
  feedId!: string;

  /**
   * The stored part of the feed address. The address also contains a signature (feed-tokens.ts). Null after revocation.
   */
  @Column('bytea', { nullable: true })
  accessId!: Buffer | null;

  @Column('timestamptz', { default: () => 'now()' })
  issuedAt!: Date;
}
