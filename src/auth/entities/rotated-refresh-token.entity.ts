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
 * A refresh token that was already exchanged for a new one. If a client sends it again, the token
 * may have been stolen.
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
