import { actionsOf } from './send.request.js';

const ACTIONS = [{ action: 'favorite', item_id: '7', tags: 'a b+c%41' }];
const JSON_TEXT = JSON.stringify(ACTIONS);

/** Encodes a text as PHP and HTML forms do. */
const formEncoded = (text: string) => new URLSearchParams({ a: text }).toString().slice(2);

describe('actionsOf', () => {
  it.each([
    ['an array', ACTIONS],
    ['JSON', JSON_TEXT],
    ['JSON between blanks', ` ${JSON_TEXT}\n`],
    ['JSON that is encoded once too often', encodeURIComponent(JSON_TEXT)],
    ['JSON that is encoded twice too often', encodeURIComponent(encodeURIComponent(JSON_TEXT))],
    ['JSON that is form-encoded once too often', formEncoded(JSON_TEXT)],
  ])('reads %s', (_, actions) => {
    expect(actionsOf({ actions })).toEqual(ACTIONS);
  });

  it('reads no action', () => {
    expect(actionsOf({ actions: [] })).toEqual([]);
    expect(actionsOf({ actions: '[]' })).toEqual([]);
  });

  it.each([null, 'add', 1, [[{ action: 'add' }]], { constructor: { name: 1 } }])(
    'leaves the element %j to the reader of actions',
    (element) => {
      expect(actionsOf({ actions: [element] })).toEqual([element]);
    },
  );

  it('refuses a call without actions', () => {
    expect(() => actionsOf({})).toThrow('actions is missing');
  });

  it.each([
    { 0: { action: 'add' } },
    { 0: { action: 'add' }, length: 1 },
    { action: 'add' },
    1,
    true,
    '{"action":"add"}',
    '"[]"',
    'null',
    '[',
    'add',
    '%',
    '%5B%',
    encodeURIComponent(encodeURIComponent(encodeURIComponent(JSON_TEXT))),
  ])('refuses %j', (actions) => {
    expect(() => actionsOf({ actions })).toThrow('actions must be an array');
  });

  it('takes five thousand actions and no more', () => {
    expect(actionsOf({ actions: Array(5000).fill({}) })).toHaveLength(5000);
    expect(() => actionsOf({ actions: Array(5001).fill({}) })).toThrow('at most 5000 actions');
  });

  it.each([
    ['nested deeply', '['.repeat(11) + ']'.repeat(11)],
    ['nested deeply and encoded', encodeURIComponent('['.repeat(11) + ']'.repeat(11))],
    ['with U+0000', '[{"tag":"\\u0000"}]'],
    ['with a lone surrogate', '[{"tag":"\\ud800"}]'],
  ])('refuses JSON %s', (_, actions) => {
    expect(() => actionsOf({ actions })).toThrow(/nested deeper|U\+0000/);
  });
});
