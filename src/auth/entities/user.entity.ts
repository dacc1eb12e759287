import { Check, Column, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** The role of a user, which may grant rights beyond the use of the private list. */
export enum Role {
  /** The user may administer the installation on the pages under /admin. */
  Administrator = 'administrator',
  User = 'user',
}

/** A person with an account. */
@Entity('users')
@Unique(['email'])
@Check('users_role_check', `role IN ('administrator', 'user')`)
export class User {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('text')
  name!: string;

  /** The email address in its canonical form (email-address.ts). */
  @Column('text')
  email!: string;

  /** The hash of the password. Null for a user who logs in only with an issuer or through a proxy. */
  @Column('text', { nullable: true })
  passwordHash!: string | null;

  @Column('text', { default: Role.User })
  role!: Role;

  /** The token version. Sessions and access tokens with an earlier version are rejected. */
  @Column('integer', { name: 'session_epoch', default: 0 })
  tokenVersion!: number;

  @Column('timestamptz', { nullable: true })
  disabledAt!: Date | null;

  /** The time at which a link, an administrator, an issuer or a proxy verified the email address. Null before that. */
  @Column('timestamptz', { nullable: true })
  emailVerifiedAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
