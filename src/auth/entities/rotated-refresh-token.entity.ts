import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';

import { User } from './user.entity.js';

/**
 * A refresh token that was exchanged for a new refresh token. A later use of a rotated token shows that a token was
 * stolen.
 */
@Entity('rotated_refresh_tokens')
@Index(['userId'])
export class RotatedRefreshToken {
  @PrimaryColumn('bytea')
  tokenHash!: Buffer;

  @Column('bigint')
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn()
  user!: Relation<User>;

  @Column('timestamptz', { default: () => 'now()' })
  rotatedAt!: Date;
}
