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

import { Grant } from '../../../auth/consumers/entities/grant.entity.js';

/** An access token of a wallabag client, with its refresh token. */
@Entity('wallabag_tokens')
@Unique(['accessHash'])
@Unique(['refreshHash'])
@Index(['grantId'])
export class WallabagToken {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('bigint')
  grantId!: string;

  @ManyToOne(() => Grant, { onDelete: 'CASCADE' })
  @JoinColumn()
  grant!: Relation<Grant>;

  /** The SHA-256 hash of the access token. */
  @Column('bytea')
  accessHash!: Buffer;

  @Column('timestamptz')
  accessExpiresAt!: Date;

  /** The SHA-256 hash of the refresh token. */
  @Column('bytea')
  refreshHash!: Buffer;

  @Column('timestamptz')
  refreshExpiresAt!: Date;

  /** The time of the first exchange of the refresh token. Null before the first exchange. */
  @Column('timestamptz', { nullable: true })
  refreshedAt!: Date | null;

  /** The number of exchanges of the refresh token. */
  @Column('integer', { default: 0 })
  refreshes!: number;
}
