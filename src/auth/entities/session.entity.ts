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

/** A session of a user who has logged in. The cookie of a session is valid only while this row exists. */
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

  /** The short name of the browser or program. */
  @Column('text')
  device!: string;

  /** The network address of the last use. Empty if the address is unknown. */
  @Column('text')
  address!: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** The time of the last use, accurate to five minutes. */
  @Column('timestamptz', { default: () => 'now()' })
  lastUsedAt!: Date;
}
