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

/** Maximum number of items per page, for any application. */
export const LARGEST_PAGE = 5000;

/** The style of responses where the specification and the apps of the original Pocket differ (docs/decisions/0012). */
export enum Dialect {
  /** Follows the specification to the letter. */
  Standard = 'standard',
  /** Follows the behavior that the apps and the extension of the original Pocket rely on. */
  Classic = 'classic',
}

/** The credentials with which a client calls. */
export enum KeyKind {
  /** A consumer key and an access token. */
  Key = 'key',
  /** An application password, and the email address of its user or the login name. */
  Password = 'password',
  /** A client id and a client secret. A login with them returns tokens. */
  Client = 'client',
}

/** A client application: its name, its permissions, and the style of its responses. */
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
  /** Also the number before the dash in the key. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('text')
  name!: string;

  @Column('text', { default: KeyKind.Key })
  kind!: KeyKind;

  /** SHA-256 of the key. The key itself is shown once and not stored. */
  @Column('bytea')
  keyHash!: Buffer;

  /** SHA-256 of the client secret; null for the other kinds. */
  @Column('bytea', { nullable: true })
  secretHash!: Buffer | null;

  /** User name that a program may send with the application password, in lower case. Null for none. */
  @Column('text', { nullable: true })
  loginName!: string | null;

  @Column('text', { array: true })
  permissions!: Permission[];

  @Column('text', { default: Dialect.Standard })
  dialect!: Dialect;

  /** Maximum number of items per page; null if the dialect decides (docs/decisions/0039). */
  @Column('integer', { nullable: true })
  maxCount!: number | null;

  /** Number of items per page if a call sends no count; null if the dialect decides. */
  @Column('integer', { nullable: true })
  defaultCount!: number | null;

  @Column('timestamptz', { nullable: true })
  disabledAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** Owner of a personal key; null for an application that every user may authorize (docs/decisions/0068). */
  @Column('bigint', { nullable: true })
  ownerId!: string | null;

  @ManyToOne(() => User, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn()
  owner!: Relation<User> | null;
}

/** The page size of an application, which overrides its dialect. */
export type PageSize = Pick<ConsumerKey, 'maxCount' | 'defaultCount'>;
