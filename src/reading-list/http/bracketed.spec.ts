import { membersOf } from './bracketed.js';
import type { Pair } from './form-pairs.js';

describe('membersOf', () => {
  it.each<[readonly Pair[], object]>([
    [[], {}],
    [[['a', '1']], { a: '1' }],
    [
      [
        ['a', '1'],
        ['a', '2'],
      ],
      { a: '2' },
    ],
    [
      [
        ['tags[]', 'x'],
        ['tags[]', 'y'],
      ],
      { tags: ['x', 'y'] },
    ],
    [
      [
        ['tags[1]', 'y'],
        ['tags[0]', 'x'],
        ['tags[]', 'z'],
      ],
      { tags: ['x', 'y', 'z'] },
    ],
    [
      [
        ['tags[10]', 'y'],
        ['tags[9]', 'x'],
      ],
      { tags: ['x', 'y'] },
    ],
    [[['a[999999999]', 'x']], { a: ['x'] }],
    [
      [
        ['actions[0][action]', 'tags_add'],
        ['actions[0][tags][0]', 'x'],
        ['actions[1][action]', 'pv'],
        ['actions[0][item_id]', '7'],
      ],
      { actions: [{ action: 'tags_add', tags: ['x'], item_id: '7' }, { action: 'pv' }] },
    ],
    [[['actions[x][action]', 'pv']], { actions: { x: { action: 'pv' } } }],
    [
      [
        ['actions[0]', 'x'],
        ['actions[y]', 'z'],
      ],
      { actions: { '0': 'x', y: 'z' } },
    ],
    [
      [
        ['a', 'x'],
        ['a[0]', 'y'],
      ],
      { a: ['y'] },
    ],
    [
      [
        ['a[0]', 'y'],
        ['a', 'x'],
      ],
      { a: 'x' },
    ],
    [
      [
        ['a[', '1'],
        ['a]', '2'],
        ['[a]', '3'],
        ['a[b]c', '4'],
        ['', '5'],
      ],
      { 'a[': '1', 'a]': '2', '[a]': '3', 'a[b]c': '4', '': '5' },
    ],
  ])('reads %j', (pairs, members) => {
    expect(membersOf(pairs)).toEqual(members);
  });

  it('refuses brackets in brackets without end', () => {
    expect(membersOf([['a[0][b][c][d]', '1']])).toEqual({ a: [{ b: { c: { d: '1' } } }] });
    expect(() => membersOf([['a' + '[0]'.repeat(5), '1']])).toThrow('nested deeper than 5 levels');
  });

  it.each(['__proto__', '__proto__[polluted]', 'a[__proto__][polluted]', 'constructor[prototype]'])(
    'keeps %s a name like any other',
    (name) => {
      const members = membersOf([[name, 'x']]);

      expect(Object.getPrototypeOf(members)).toBe(Object.prototype);
      expect(JSON.stringify(members)).toContain('"x"');
      expect('polluted' in {}).toBe(false);
    },
  );
});
