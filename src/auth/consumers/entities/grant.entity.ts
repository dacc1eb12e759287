import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
  type Relation,
  Unique,
} from 'typeorm';

import { User } from '../../entities/user.entity.js';
import { ConsumerKey } from './consumer-key.entity.js';

/**
 * The permission of a user for an application to use the list, with one access token. A grant is
 * valid until it is revoked.
 */
@Entity('grants')
@Unique(['tokenHash'])
@Index(['userId', 'consumerKeyId'])
@Index(['consumerKeyId'])
export class Grant {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('bigint')
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn()
  user!: Relation<User>;

  @Column('bigint')
  consumerKeyId!: string;

  @ManyToOne(() => ConsumerKey, { onDelete: 'CASCADE' })
  @JoinColumn()
  consumerKey!: Relation<ConsumerKey>;

  /** The SHA-256 of the access token. The token itself is not stored. */
  @Column('bytea')
  tokenHash!: Buffer;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** The time of the last API call with the token, accurate to ten minutes. Null until the first call. */
  @Column('timestamptz', { nullable: true })
  lastUsedAt!: Date | null;
}
