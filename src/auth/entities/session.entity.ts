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

/** A login that goes on: the cookie of a browser counts while its row is here. */
@Entity('sessions')
@Index(['userId'])
export class Session {
  /** SHA-256 of the random id that the encrypted cookie holds. */
  @PrimaryColumn('bytea')
  id!: Buffer;

  @Column('bigint')
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn()
  user!: Relation<User>;

  /** What the browser or program calls itself, in a few words. */
  @Column('text')
  device!: string;

  /** Where the last use came from; empty where the connection did not tell. */
  @Column('text')
  address!: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** To within five minutes. */
  @Column('timestamptz', { default: () => 'now()' })
  lastUsedAt!: Date;
}
