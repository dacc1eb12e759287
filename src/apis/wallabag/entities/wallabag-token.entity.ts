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

import { ConsumerKey } from '../../../auth/consumers/entities/consumer-key.entity.js';
import { Grant } from '../../../auth/consumers/entities/grant.entity.js';

/** An access token of an app made for wallabag, with its refresh token. */
@Entity('wallabag_tokens')
@Unique(['accessHash'])
@Unique(['refreshHash'])
@Index(['grantId'])
@Index(['passwordKeyId'], { where: 'password_key_id IS NOT NULL' })
export class WallabagToken {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('bigint')
  grantId!: string;

  @ManyToOne(() => Grant, { onDelete: 'CASCADE' })
  @JoinColumn()
  grant!: Relation<Grant>;

  /** The application password of the login. Null if the user logged in with the password of the account. */
  @Column('bigint', { nullable: true })
  passwordKeyId!: string | null;

  @ManyToOne(() => ConsumerKey, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn()
  passwordKey!: Relation<ConsumerKey> | null;

  /** The SHA-256 of the access token. The token itself is not stored. */
  @Column('bytea')
  accessHash!: Buffer;

  @Column('timestamptz')
  accessExpiresAt!: Date;

  /** The SHA-256 of the refresh token. The token itself is not stored. */
  @Column('bytea')
  refreshHash!: Buffer;

  @Column('timestamptz')
  refreshExpiresAt!: Date;

  /** The time at which a client first exchanged the refresh token. Null until then. */
  @Column('timestamptz', { nullable: true })
  refreshedAt!: Date | null;

  /** How many times clients have exchanged the refresh token. */
  @Column('integer', { default: 0 })
  refreshes!: number;
}
