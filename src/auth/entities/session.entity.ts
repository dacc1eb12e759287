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

/** The login of a user in one browser or program. The session cookie is valid only while this row exists. */
@Entity('sessions')
@Index(['userId'])
export class Session {
  /** The SHA-256 of the random id in the encrypted cookie. */
  @PrimaryColumn('bytea')
  id!: Buffer;

  @Column('bigint')
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn()
  user!: Relation<User>;

  /** A short name of the browser or program, such as `Firefox on Linux`. */
  @Column('text')
  device!: string;

  /** The network address of the last request. Empty if the address is unknown. */
  @Column('text')
  address!: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** The time of the last request, accurate to five minutes. */
  @Column('timestamptz', { default: () => 'now()' })
  lastUsedAt!: Date;

  /**
   * The time at which the user last proved the identity, by a login or by a confirmation. Null if the session began
   * without credentials of the user, for example with an access token.
   */
  @Column('timestamptz', { nullable: true })
  provenAt!: Date | null;

  /** True if the user has used or set up a second factor in this session. */
  @Column('boolean', { default: false })
  hasSecondFactor!: boolean;
}
