import { Column, Entity, PrimaryColumn } from 'typeorm';

import {
  assigned,
  columnsFor,
  columnsOf,
  namesOf,
  propertiesOf,
  rowSet,
  rowSetValues,
  rowWithDefaults,
} from './entity-columns.js';

abstract class Shown {
  @PrimaryColumn('bigint')
  itemId!: string;

  @Column('text', { array: true })
  tags!: string[];

  @Column('text', { nullable: true })
  note!: string | null;

  @Column('bigint', { default: 0 })
  timeRead!: string;
}

@Entity('kept')
class Kept extends Shown {
  @Column('integer', { name: 'changed' })
  version!: number;
}

describe('the columns of an entity', () => {
  it('are those of its class and of the class it extends, by their names in the table', () => {
    expect(namesOf(columnsOf(Shown))).toBe('item_id, tags, note, time_read');
    expect(namesOf(columnsOf(Kept))).toBe('item_id, tags, note, time_read, changed');
    expect(assigned(columnsFor(Kept, ['version', 'tags']), 'row')).toBe(
      'changed = row.changed, tags = row.tags',
    );
  });

  it('fill a row with their defaults, as pg gives them', () => {
    expect(rowWithDefaults(Shown, { item_id: '1', tags: ['a'] })).toEqual({
      item_id: '1',
      tags: ['a'],
      note: null,
      time_read: '0',
    });
    expect(() => rowWithDefaults(Shown, { item_id: '1' })).toThrow(
      'a row of Shown lacks a value that has no default',
    );
  });

  it('turn a row into the properties of the entity', () => {
    const row = { item_id: '1', tags: ['a'], note: null, time_read: '7', changed: 9 };

    expect(propertiesOf(Shown, row)).toEqual({
      itemId: '1',
      tags: ['a'],
      note: null,
      timeRead: '7',
    });
  });

  it('make a set of rows with one parameter a column', () => {
    const columns = columnsFor(Kept, ['itemId', 'tags', 'version']);

    expect(rowSet(columns, 3).replaceAll(/\s+/g, ' ')).toBe(
      '(SELECT item_id, tags::text[], changed FROM unnest($3::bigint[], $4::text[], $5::integer[])' +
        ' AS given (item_id, tags, changed) OFFSET 0) AS row',
    );
    expect(
      rowSetValues(columns, [
        { itemId: '1', tags: [], version: 7 },
        { itemId: '2', tags: ['a', String.raw`"b\,`], version: 8 },
      ]),
    ).toEqual([
      ['1', '2'],
      ['{}', String.raw`{"a","\"b\\,"}`],
      [7, 8],
    ]);
  });
});
