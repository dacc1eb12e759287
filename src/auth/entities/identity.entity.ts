import {
  Column,
  Entity,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
  Unique,
} from 'typeorm';

import { User } from './user.entity.js';

/** Who a user is at an OpenID Connect issuer. */
@Entity('identities')
@Unique(['userId', 'issuer'])
export class Identity {
  /** The issuer's own name for itself (`iss`). */
  @PrimaryColumn('text')
  issuer!: string;

  /** The issuer's name for the person (`sub`), which it gives to no other. */
  @PrimaryColumn('text')
  subject!: string;

  @Column('bigint')
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn()
  user!: Relation<User>;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
