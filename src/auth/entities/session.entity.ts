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

/** A login that continues. The cookie of a browser is valid only while its row exists. */
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

  /** Short name of the browser or program. */
  @Column('text')
  device!: string;

  /** Address of the last use. Empty if the address is unknown. */
  @Column('text')
  address!: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** Accurate to five minutes. */
  @Column('timestamptz', { default: () => 'now()' })
  lastUsedAt!: Date;
}
