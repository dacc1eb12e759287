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

/**
 * The secret address at which feed readers fetch a user's list. The row is created with the user's first feed address.
 */
@Entity('feed_accesses')
@Unique(['accessId'])
export class FeedAccess {
  @PrimaryColumn('bigint')
  userId!: string;

  @OneToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn()
  user!: Relation<User>;

  /**
   * A random value from which the ids of all feed entries are derived. The value stays the same when the user creates a
   * new feed address, so feed readers do not show old entries as new.
   */
  @Column('uuid', { default: () => 'gen_random_uuid()' })
  feedId!: string;

  /**
   * The stored part of the feed address, without its signature (feed-tokens.ts). Null after the user has revoked the
   * address.
   */
  @Column('bytea', { nullable: true })
  accessId!: Buffer | null;

  @Column('timestamptz', { default: () => 'now()' })
  issuedAt!: Date;
}
