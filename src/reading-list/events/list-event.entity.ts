import {
  Column,
  CreateDateColumn,
  Entity,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';

import { User } from '../../auth/entities/user.entity.js';

/** What a transaction has done to a list. A later version of Satchel may add kinds. */
export type EventKind =
  | 'item.added'
  | 'item.changed'
  | 'item.archived'
  | 'item.deleted'
  | 'item.fetched'
  | 'highlight.added'
  | 'import.finished';

/**
 * The number of sequence numbers for each version of a list. A transaction writes fewer events, because a bulk change
 * writes one event with a count for each kind.
 */
export const PLACES_IN_VERSION = 65_536n;

/**
 * An event of a list that not all subscribers of the user have handled (docs/decisions/0118). An event is about one
 * item, or has a count.
 */
@Entity('list_events')
export class ListEvent {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  user!: Relation<User>;

  /** The position of the event in the order of the user's events. */
  @PrimaryColumn('bigint')
  sequence!: string;

  @Column('text')
  kind!: EventKind;

  /** The item of the event. Null if the event has a count. */
  @Column('bigint', { nullable: true })
  itemId!: string | null;

  /** The new annotation. Null unless the event is the addition of one highlight. */
  @Column('text', { nullable: true })
  annotationId!: string | null;

  /** The number of items, or of highlights, that a bulk change has affected. Null if the event is about one item. */
  @Column('integer', { nullable: true })
  count!: number | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt!: Date;

  /** The list version of the event. If no later change has affected an item of the event, the item has this version. */
  get version(): string {
    return String(BigInt(this.sequence) / PLACES_IN_VERSION);
  }
}
