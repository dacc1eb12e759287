import { dereferenced, ldText, linkedData, mainNodes } from './json-ld.js';

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
  expect(mainNodes(linkedData([script]).own).map((node) => node['headline'])).toEqual(['x']);
});

it.each(['', 'null', '7', '"text"', '{', '[[[', '{"a":', '['.repeat(100_000)])(
  'reads nothing of %.20s',
  (script) => {
    expect(linkedData([script])).toEqual({ all: [], own: [] });
  },
);

it('goes no deeper than pages go', () => {
  expect(linkedData([`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`]).all.length).toBeLessThan(20);
});

it('reads a text in 400,000 lists', () => {
  expect(ldText(JSON.parse(`${'['.repeat(400_000)}" low tide "${']'.repeat(400_000)}`))).toBe(
    'low tide',
  );
});

it('follows references, finds names', () => {
  const { all } = linkedData(['[{"@id":"#a","name":"Ada"},{"author":{"@id":"#a"}}]']);

  expect(ldText(dereferenced({ '@id': '#a' }, all))).toBe('Ada');
  expect(ldText(['first', 'second'])).toBe('first');
  expect(ldText(7)).toBe('');
});
