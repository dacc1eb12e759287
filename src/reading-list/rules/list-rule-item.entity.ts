import { Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

import { Item } from '../entities/item.entity.js';
import { ListRule } from './list-rule.entity.js';

/** A new item on which a rule has not acted. The rule checks the item once more when its page is fetched. */
@Entity('list_rule_items')
export class ListRuleItem {
  @PrimaryColumn('bigint')
  userId!: string;

  @PrimaryColumn('bigint')
  itemId!: string;

  @PrimaryColumn('uuid')
  listId!: string;

  @ManyToOne(() => ListRule, { onDelete: 'CASCADE' })
  @JoinColumn([
    {
      name: 'user_id',
      referencedColumnName: 'userId',
      foreignKeyConstraintName: 'list_rule_items_list_id_fkey',
    },
    { name: 'list_id', referencedColumnName: 'listId' },
  ])
  rule!: Relation<ListRule>;

  @ManyToOne(() => Item, { onDelete: 'CASCADE' })
  @JoinColumn([
    {
      name: 'user_id',
      referencedColumnName: 'userId',
      foreignKeyConstraintName: 'list_rule_items_item_id_fkey',
    },
    { name: 'item_id', referencedColumnName: 'itemId' },
  ])
  item!: Relation<Item>;
}
