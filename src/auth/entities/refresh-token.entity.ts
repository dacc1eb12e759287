import {
  Column,
  Entity,
  JoinColumn,
  OneToOne,
  PrimaryColumn,
  type Relation,
  Unique,
} from 'typeorm';

import { User } from './user.entity.js';

/** The current refresh token of a user, which a client exchanges for the next tokens. A user has at most one. */
@Entity('refresh_tokens')
@Unique(['tokenHash'])
export class RefreshToken {
  @PrimaryColumn('bigint')
  userId!: string;

  @OneToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn()
  user!: Relation<User>;

  /** The SHA-256 of the token. The token itself is not stored. */
  @Column('bytea')
  tokenHash!: Buffer;

  @Column('timestamptz', { default: () => 'now()' })
  issuedAt!: Date;
}
