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

/** A user's identity at an OpenID Connect issuer. */
@Entity('identities')
@Unique(['userId', 'issuer'])
export class Identity {
  /** The identifier of the issuer (`iss`). */
  @PrimaryColumn('text')
  issuer!: string;

  /** The issuer's identifier for the person (`sub`). The issuer never gives the same identifier to another person. */
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
