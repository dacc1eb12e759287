import { Column, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** A person with an account. */
@Entity('users')
@Unique(['email'])
export class User {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('text')
  name!: string;

  /** In its canonical form (email-address.ts). */
  @Column('text')
  email!: string;

  @Column('text')
  passwordHash!: string;

  /** Sessions and access tokens of an earlier version are refused. */
  @Column('integer', { name: 'session_epoch', default: 0 })
  tokenVersion!: number;

  @Column('timestamptz', { nullable: true })
  disabledAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
