import { dereferenced, ldNodes, ldText, mainNodes } from './json-ld.js';

it.each([
  ['plain', '{"@type":"Article","headline":"x"}'],
  ['in a list', '[{"@type":"Article","headline":"x"}]'],
  ['in a graph', '{"@graph":[{"@type":["NewsArticle","Thing"],"headline":"x"}]}'],
  ['in a comment', '<!-- {"@type":"Article","headline":"x"} -->'],
  ['in CDATA', '//<![CDATA[\n{"@type":"Article","headline":"x"}\n//]]>'],
  ['with a line break within a text', '{"@type":"Article","headline":"x","b":"1\n2"}'],
  ['with a comma too many', '{"@type":"Article","headline":"x",}'],
  ['with a semicolon', '{"@type":"Article","headline":"x"};'],
])('reads what is %s', (_name, script) => {
  expect(mainNodes(ldNodes([script])).map((node) => node['headline'])).toEqual(['x']);
});

it.each(['', 'null', '7', '"text"', '{', '[[[', '{"a":', '['.repeat(100_000)])(
  'reads nothing of %.20s',
  (script) => {
    expect(ldNodes([script])).toEqual([]);
  },
);

it('goes no deeper than pages go', () => {
  expect(ldNodes([`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`]).length).toBeLessThan(20);
});

it('follows references, finds names', () => {
  const nodes = ldNodes(['[{"@id":"#a","name":"Ada"},{"author":{"@id":"#a"}}]']);

  expect(ldText(dereferenced({ '@id': '#a' }, nodes))).toBe('Ada');
  expect(ldText(['first', 'second'])).toBe('first');
  expect(ldText(7)).toBe('');
});
