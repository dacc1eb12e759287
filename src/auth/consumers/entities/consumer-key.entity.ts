import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
  type Relation,
  Unique,
} from 'typeorm';

import { User } from '../../entities/user.entity.js';
import type { Permission } from '../permission.js';

/** Items in the largest page of any application. */
export const LARGEST_PAGE = 5000;

/** How answers differ where the specification and the original's own apps do (docs/decisions/0012). */
export enum Dialect {
  /** The specification to the letter. */
  Standard = 'standard',
  /** What the original's own apps and extension rely on. */
  Classic = 'classic',
}

/** How a client shows that it may call. */
export enum KeyKind {
  /** By a consumer key and an access token. */
  Key = 'key',
  /** By an application password and the email address of its user. */
  Password = 'password',
  /** By a client id and a client secret, for which a login gives it tokens. */
  Client = 'client',
}

/** A client application: what it is called, what it may do, how it is answered. */
@Entity('consumer_keys')
@Unique(['keyHash'])
@Unique('consumer_keys_login_name_key', ['loginName'])
@Index(['ownerId'])
@Check('consumer_keys_permissions_check', `permissions <@ '{retrieve,add,modify}'`)
@Check('consumer_keys_dialect_check', `dialect IN ('standard', 'classic')`)
@Check('consumer_keys_kind_check', `kind IN ('key', 'password', 'client')`)
@Check('consumer_keys_secret_check', `(kind = 'client') = (secret_hash IS NOT NULL)`)
@Check(
  'consumer_keys_login_name_check',
  `login_name IS NULL OR (kind = 'password' AND login_name ~ '^[a-z0-9_]{1,64}$')`,
)
@Check('consumer_keys_max_count_check', `max_count BETWEEN 1 AND 5000`)
@Check('consumer_keys_default_count_check', `default_count BETWEEN 1 AND max_count`)
export class ConsumerKey {
  /** Also the digits before the dash of the key. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('text')
  name!: string;

  @Column('text', { default: KeyKind.Key })
  kind!: KeyKind;

  /** SHA-256 of the key, which itself is shown once and stored nowhere. */
  @Column('bytea')
  keyHash!: Buffer;

  /** SHA-256 of the client secret; null for the other kinds. */
  @Column('bytea', { nullable: true })
  secretHash!: Buffer | null;

  /** What a program may send as the user name beside the application password, in lower case; null for none. */
  @Column('text', { nullable: true })
  loginName!: string | null;

  @Column('text', { array: true })
  permissions!: Permission[];

  @Column('text', { default: Dialect.Standard })
  dialect!: Dialect;

  /** The items of the largest page; null where the dialect decides (docs/decisions/0039). */
  @Column('integer', { nullable: true })
  maxCount!: number | null;

  /** How many items a call gets that does not say; null where the dialect decides. */
  @Column('integer', { nullable: true })
  defaultCount!: number | null;

  @Column('timestamptz', { nullable: true })
  disabledAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** The user whose personal key it is; null for an application that all users may let in (docs/decisions/0068). */
  @Column('bigint', { nullable: true })
  ownerId!: string | null;

  @ManyToOne(() => User, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn()
  owner!: Relation<User> | null;
}

/** How many items a page has for an application, whatever its dialect. */
export type PageSize = Pick<ConsumerKey, 'maxCount' | 'defaultCount'>;
