import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';

import { ConsumerKey } from '../../consumers/entities/consumer-key.entity.js';
import { User } from '../../entities/user.entity.js';

/** A user's answer to an application's request for access. */
export type Decision = 'authorized' | 'rejected';

/**
 * An application's request for access to a user's list. The request is open until the application exchanges the request
 * code for a token, or until the code expires.
 */
@Entity('authorization_requests')
@Index(['expiresAt'])
@Index(['consumerKeyId'])
@Index(['userId'])
@Check('authorization_requests_decision_check', `decision IN ('authorized', 'rejected')`)
@Check('authorization_requests_used_check', `used_at IS NULL OR decision = 'authorized'`)
export class AuthorizationRequest {
  /** The SHA-256 of the request code. The code itself is not stored. */
  @PrimaryColumn('bytea')
  codeHash!: Buffer;

  @Column('bigint')
  consumerKeyId!: string;

  @ManyToOne(() => ConsumerKey, { onDelete: 'CASCADE' })
  @JoinColumn()
  consumerKey!: Relation<ConsumerKey>;

  @Column('text')
  redirectUri!: string;

  /** The parameter `state` of the application, which is returned to it unchanged. */
  @Column('text', { nullable: true })
  state!: string | null;

  @Column('timestamptz')
  expiresAt!: Date;

  /** The user who has answered the request. Null if the request has no answer yet. */
  @Column('bigint', { nullable: true })
  userId!: string | null;

  @ManyToOne(() => User, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn()
  user!: Relation<User> | null;

  @Column('text', { nullable: true })
  decision!: Decision | null;

  /**
   * The time at which the application exchanged the request code for a token. Null if the code is not exchanged yet.
   */
  @Column('timestamptz', { nullable: true })
  usedAt!: Date | null;
}
