import type { ItemToImport } from '../../lib/library-formats/format.js';
import { type CheckedRow, checkedRow } from './checked-row.js';

const NOW = 1_700_000_000;
const TIMES = { now: NOW, timeAdded: 1_699_999_990 };
const url = 'https://example.com/a';

const checked = (row: Partial<ItemToImport>): CheckedRow => checkedRow({ url, ...row }, TIMES)!;

describe('a row as the list keeps it', () => {
  it.each([
    ['zero, which means never', 0, []],
    ['the present', NOW, []],
    ['what is no time', NaN, ['a time that is none, or is still to come']],
    ['a time before all', -5, ['a time that is none, or is still to come']],
    ['the future', NOW + 1, ['a time that is none, or is still to come']],
    ['the year 9999', 253_402_300_799, ['a time that is none, or is still to come']],
  ])('takes %s for what it is', (_, timeAdded, leftOut) => {
    const { item, leftOut: said } = checked({ timeAdded });
    const isTold = timeAdded === NOW;

    expect(said).toEqual(leftOut);
    expect(item).toMatchObject({
      timeAdded: isTold ? NOW : TIMES.timeAdded,
      saysTimeAdded: isTold,
      asOf: isTold ? NOW : 0,
    });
  });

  it.each([
    ['the present', NOW, NOW, []],
    ['what is no time', NaN, TIMES.timeAdded, ['a time that is none, or is still to come']],
    ['the future', NOW + 1, TIMES.timeAdded, ['a time that is none, or is still to come']],
    ['nothing', undefined, TIMES.timeAdded, []],
  ])('takes %s as the time of a passage for what it is', (_, time, createdAt, leftOut) => {
    const marked = { quote: 'words', ...(time !== undefined && { createdAt: time }) };

    const { item, leftOut: said } = checked({ annotations: [marked] });

    expect(item.annotations).toMatchObject([{ quote: 'words', createdAt }]);
    expect(said).toEqual(leftOut);
  });

  it('cuts a note after 10 KB of UTF-8, never within a character, and says so', () => {
    const whole = 'é'.repeat(5120);

    expect(checked({ note: `  ${whole}\0 ` })).toMatchObject({
      item: { note: whole },
      leftOut: [],
    });
    expect(checked({ note: `a${whole}` })).toMatchObject({
      item: { note: `a${'é'.repeat(5119)}` },
      leftOut: ['the end of the note'],
    });
  });

  it('says that it cuts the note of a highlight', () => {
    const { item, leftOut } = checked({
      annotations: [{ quote: 'words', note: 'n'.repeat(20_001) }, { quote: 'more' }],
    });

    expect(item.annotations[0]?.note).toHaveLength(20_000);
    expect(leftOut).toEqual(['the ends of the notes of 1 annotations']);
  });

  it('says what it cuts and leaves out', () => {
    const { item, leftOut } = checked({
      title: `${'t'.repeat(1000)}end`,
      tags: ['x'.repeat(101), '_untagged_', 'fine'],
    });

    expect(item.title).toBe('t'.repeat(1000));
    expect(item.tags.map(({ name }) => name)).toEqual(['x'.repeat(100), 'fine']);
    expect(leftOut).toEqual([
      'the end of the title',
      `the end of the tag "${'x'.repeat(40)}"`,
      'the tag "_untagged_"',
    ]);
  });
});
