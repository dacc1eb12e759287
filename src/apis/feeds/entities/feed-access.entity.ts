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

/** How feed readers get at the list of a user, from the first feed address on. */
@Entity('feed_accesses')
@Unique(['accessId'])
export class FeedAccess {
  @PrimaryColumn('bigint')
  userId!: string;

  @OneToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn()
  user!: Relation<User>;

  /** What the ids of entries are made of: the same for ever, so that a new address shows no entry as new. */
  @Column('uuid', { default: () => 'gen_random_uuid()' })
  feedId!: string;

  /** Stands in the feed address, with a signature (feed-tokens.ts); null when it is revoked. */
  @Column('bytea', { nullable: true })
  accessId!: Buffer | null;

  @Column('timestamptz', { default: () => 'now()' })
  issuedAt!: Date;
}
