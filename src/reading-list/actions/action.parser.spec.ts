import { normalAddress } from '../list/address.js';
import { parseTagName } from '../list/tag-name.js';
import { parseAction } from './action.parser.js';

const address = normalAddress('a.example');
const tag = (name: string) => parseTagName(name);
const ITEM = [
  'archive',
  'readd',
  'favorite',
  'unfavorite',
  'delete',
  'undo_archive',
  'undo_delete',
  'tags_clear',
];
const TAGS = ['tags_add', 'tags_remove', 'tags_replace'];
const refusal = (message: string) =>
  expect.objectContaining({ code: 130, type: 'Bad request', message });

describe('an action on an item', () => {
  it.each([...ITEM, ...TAGS])('%s names it by id or by URL', (action) => {
    expect(parseAction({ action, item_id: '7', tags: 'x' })).toMatchObject({
      action,
      item: { itemId: '7' },
    });
    expect(parseAction({ action, url: 'a.example', tags: 'x' })).toMatchObject({
      action,
      item: { address },
    });
  });

  it.each([...ITEM, ...TAGS, 'add'])('%s without an item is refused', (action) => {
    expect(parseAction({ action, tags: 'x' })).toEqual(
      refusal('Invalid action: must provide either item_id or url'),
    );
  });

  it.each([
    [7, '7'],
    ['7', '7'],
    [' 007 ', '7'],
    [4503599627370497, '4503599627370497'],
    ['9223372036854775807', '9223372036854775807'],
  ])('takes the id %j', (item_id, itemId) => {
    expect(parseAction({ action: 'archive', item_id, url: 'b.example' })).toEqual({
      action: 'archive',
      item: { itemId },
      time: undefined,
    });
  });

  it.each([0, '0', '00', '', ' ', null])('takes the id %j as absent', (item_id) => {
    expect(parseAction({ action: 'archive', item_id, url: 'a.example' })).toMatchObject({
      item: { address },
    });
  });

  it.each([
    -1,
    1.5,
    2 ** 53,
    '9223372036854775808',
    '1'.repeat(20),
    'x',
    '0x1',
    true,
    [],
    {},
    ['7'],
  ])('refuses the id %j', (item_id) => {
    expect(parseAction({ action: 'archive', item_id, url: 'a.example' })).toEqual(
      refusal(
        `Invalid item_id: ${typeof item_id === 'string' ? item_id : JSON.stringify(item_id)}`,
      ),
    );
  });

  it('prefers the URL for add', () => {
    expect(parseAction({ action: 'add', item_id: 7, url: 'a.example' })).toMatchObject({
      item: { address },
    });
    expect(parseAction({ action: 'add', item_id: 7, url: '' })).toMatchObject({
      item: { itemId: '7' },
    });
  });

  it.each(['ftp://a.example', 'x', 7, {}])('refuses the URL %j', (url) => {
    expect(parseAction({ action: 'add', url })).toMatchObject({
      code: 130,
      message: /^Invalid url: /,
    });
  });
});

describe('the parameters of an action', () => {
  it('are read for add', () => {
    expect(
      parseAction({
        action: 'add',
        url: 'a.example',
        title: ' T ',
        tags: 'x,Y',
        time: '1700000000',
        ref_id: 1,
        cxt: {},
      }),
    ).toEqual({
      action: 'add',
      item: { address },
      title: 'T',
      tags: [tag('x'), tag('Y')],
      prefersGivenTitle: true,
      time: 1_700_000_000,
    });
  });

  it.each([[null], [''], ['null'], [undefined]])('has no title in %j', (title) => {
    expect(parseAction({ action: 'add', url: 'a.example', title })).toMatchObject({
      title: undefined,
    });
  });

  it.each([
    [1_700_000_000, 1_700_000_000],
    ['1700000000', 1_700_000_000],
    [1_700_000_000_999, 1_700_000_000],
    ['1700000000999', 1_700_000_000],
    ['1700000000.5', 1_700_000_000],
    [' 5 ', 5],
    [null, undefined],
    ['', undefined],
    [0, undefined],
    ['0', undefined],
  ])('time %j is %j', (time, seconds) => {
    expect(parseAction({ action: 'archive', item_id: 7, time })).toMatchObject({ time: seconds });
  });

  it.each([-1, '9223372036854775807', Infinity, 'abc', '-1', '1e9', true, {}, []])(
    'refuses the time %j',
    (time) => {
      expect(parseAction({ action: 'archive', item_id: 7, time })).toMatchObject({
        code: 130,
        message: /^Invalid time/,
      });
    },
  );

  it.each([
    ['x,y', ['x', 'y']],
    [
      ['x', 'y'],
      ['x', 'y'],
    ],
    [',x,,', ['x']],
    [2024, ['2024']],
    [
      [7, 'x'],
      ['7', 'x'],
    ],
  ])('tags %j are %j', (tags, names) => {
    expect(parseAction({ action: 'tags_add', item_id: 7, tags })).toMatchObject({
      tags: names.map(tag),
    });
  });

  it.each([
    [undefined, 'Action must have tags field'],
    [null, 'Action must have tags field'],
    ['', 'Tags input cannot be empty'],
    [[], 'Tags input cannot be empty'],
    [' , ', 'Tags input cannot be empty'],
    [true, 'Invalid tags: true'],
    [['a,b'], 'Invalid tags: ["a,b"]'],
    [[['a']], 'Invalid tags: [["a"]]'],
    ['_untagged_', 'Invalid tags: _untagged_'],
  ])('tags %j are refused: %s', (tags, message) => {
    expect(parseAction({ action: 'tags_add', item_id: 7, tags })).toEqual(refusal(message));
  });

  it.each([[''], [[]]])(
    'tags_replace with %j takes all away; without the member it is refused',
    (tags) => {
      expect(parseAction({ action: 'tags_replace', item_id: 7, tags })).toMatchObject({ tags: [] });
      expect(parseAction({ action: 'tags_replace', item_id: 7 })).toMatchObject({ code: 130 });
    },
  );

  it('name the tags to rename and to delete', () => {
    const renaming = { oldTag: tag('x'), newTag: tag('Y'), time: undefined, action: 'tag_rename' };
    expect(parseAction({ action: 'tag_rename', old_tag: 'x', new_tag: 'Y' })).toEqual(renaming);
    expect(parseAction({ action: 'tags_rename', old_tag: 'x', new_tag: 'Y' })).toEqual(renaming);
    expect(parseAction({ action: 'tag_delete', tag: 'x' })).toMatchObject({ tag: tag('x') });
  });

  it.each([
    [{ action: 'tag_rename', old_tag: 'x', new_tag: '' }, 'Action must have new_tag field'],
    [{ action: 'tag_rename', old_tag: 'x', new_tag: 'a,b' }, 'Invalid tag: a,b'],
    [{ action: 'tag_rename', new_tag: 'x' }, 'Action must have old_tag field'],
    [{ action: 'tag_delete', tag: ['x'] }, 'Invalid tag: ["x"]'],
  ])('refuses %j', (sent, message) => {
    expect(parseAction(sent)).toEqual(refusal(message));
  });
});

describe('the name of an action', () => {
  it.each([
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'then',
    'ADD',
    ' add ',
    'shared_to',
    'x'.repeat(300),
  ])('%j is unknown', (action) => {
    expect(parseAction({ action, item_id: 7 })).toEqual(
      refusal(`Invalid Action: '${action.slice(0, 100)}'`),
    );
  });

  it.each([
    null,
    7,
    'add',
    [],
    [[{ action: 'add' }]],
    {},
    { action: null },
    { action: 7 },
    { action: '' },
    { action: {} },
  ])('is missing in %j', (sent) => {
    expect(parseAction(sent)).toEqual(refusal('Action must have action field'));
  });

  it.each([
    'pv',
    'opened_item',
    'left_item',
    'tpa_impression',
    'notification_opened',
    'start_listen',
  ])('%s is ignored', (action) => {
    expect(parseAction({ action, anything: {} })).toBe('ignored');
  });

  it('is never looked for in what an object inherits', () => {
    expect(parseAction(Object.create({ action: 'archive', item_id: 7 }))).toMatchObject({
      code: 130,
    });
  });
});
