import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

import { User } from '../../auth/entities/user.entity.js';

/** A subscriber to the events of one list, with the last event that it has handled. */
@Entity('event_subscriptions')
export class EventSubscription {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  user!: Relation<User>;

  /** The name of the handler that gets the events. */
  @PrimaryColumn('text')
  subscriber!: string;

  /** The sequence number of the last event that the subscriber has handled. */
  @Column('bigint')
  position!: string;

  /** The number of failed deliveries since the last delivery that succeeded. */
  @Column('integer', { default: 0 })
  failures!: number;

  /** The time of the next delivery. It is in the future only after a failed delivery. */
  @Column('timestamptz', { default: () => 'now()' })
  dueAt!: Date;
}
