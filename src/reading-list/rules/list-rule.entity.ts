import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';

import { SavedList } from '../entities/saved-list.entity.js';

/** The actions of a rule. An action that is missing is not taken. */
export interface RuleActions {
  /** The names of the tags that the rule adds. */
  readonly tags?: readonly string[];
  readonly archive?: true;
  readonly favorite?: true;
  /** Mails the article to the user's e-reader. */
  readonly eReader?: true;
}

/** The actions that Satchel takes on new items that match a saved list (docs/decisions/0121). */
@Entity('list_rules')
export class ListRule {
  @PrimaryColumn('bigint')
  userId!: string;

  @PrimaryColumn('uuid')
  listId!: string;

  @OneToOne(() => SavedList, { onDelete: 'CASCADE' })
  @JoinColumn([
    {
      name: 'user_id',
      referencedColumnName: 'userId',
      foreignKeyConstraintName: 'list_rules_list_id_fkey',
    },
    { name: 'list_id', referencedColumnName: 'id' },
  ])
  list!: Relation<SavedList>;

  @Column('jsonb')
  actions!: RuleActions;

  @Column('boolean', { default: false })
  isOn!: boolean;

  /**
   * The highest number of an item that is not new to the rule. Items that are restored, or that move to another
   * address, keep their number, so the rule ignores them.
   */
  @Column('integer', { default: 0 })
  lastNumber!: number;
}
