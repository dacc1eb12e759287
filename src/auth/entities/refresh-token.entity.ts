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

/** The one current refresh token of a user; the primary key keeps it at one. */
@Entity('refresh_tokens')
@Unique(['tokenHash'])
export class RefreshToken {
  @PrimaryColumn('bigint')
  userId!: string;

  @OneToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn()
  user!: Relation<User>;

  /** SHA-256 of the token, which itself is stored nowhere. */
  @Column('bytea')
  tokenHash!: Buffer;

  @Column('timestamptz', { default: () => 'now()' })
  issuedAt!: Date;
}
