import { linksOfLine } from './link-lines.js';

describe('linksOfLine', () => {
  it.each([
    ['https://a.example/x', { url: 'https://a.example/x' }],
    ['  two.example/path ', { url: 'two.example/path' }],
    ['<https://a.example>', { url: 'https://a.example' }],
    ['- https://a.example', { url: 'https://a.example' }],
    ['12. https://a.example', { url: 'https://a.example' }],
    ['> * https://a.example', { url: 'https://a.example' }],
    ['https://a.example | One | Two #3', { url: 'https://a.example', title: 'One | Two #3' }],
    ['https://a.example | See https://b.example', { title: 'See https://b.example' }],
    ['https://a.example - Ferns', { url: 'https://a.example', title: 'Ferns' }],
    ['https://a.example\tFerns', { url: 'https://a.example', title: 'Ferns' }],
    ['Ferns: https://a.example', { url: 'https://a.example', title: 'Ferns' }],
    ['"Ferns" (https://a.example/b_(c)).', { url: 'https://a.example/b_(c)', title: 'Ferns' }],
    ['| Ferns | https://a.example/ |', { url: 'https://a.example/', title: 'Ferns' }],
    ['https://a.example #plants #deep-shade', { title: '', tags: ['plants', 'deep-shade'] }],
    ['Rule #1 https://a.example', { title: 'Rule #1', tags: [] }],
    ['[Ferns](https://a.example/b_(c) "Tip") #plants', { title: 'Ferns', tags: ['plants'] }],
    ['- [ ] [Moss](<https://a.example/m>)', { url: 'https://a.example/m', status: 0 }],
    ['[Moss](<https://b.example/x y>)', { url: 'https://b.example/x%20y', title: 'Moss' }],
    ['- [x] https://a.example', { url: 'https://a.example', status: 1 }],
    [String.raw`* [a \[b\]](https://a.example)`, { title: 'a [b]' }],
    ['[![Fern](https://a.example/f.png)](https://a.example/f)', { title: 'Fern' }],
    ['- [[https://a.example/o][Org]]', { url: 'https://a.example/o', title: 'Org' }],
    ['view-source:https://a.example | A', { url: 'view-source:https://a.example', title: 'A' }],
    ['An old file: ftp://a.example/x', { url: 'ftp://a.example/x', title: 'An old file' }],
  ])('reads %j', (line, link) => {
    expect(linksOfLine(line).links).toMatchObject([link]);
  });

  it.each([
    ['https://a.example https://b.example'],
    ['https://a.example,https://b.example'],
    ['[A](https://a.example), [B](https://b.example)'],
  ])('returns each link of %j', (line) => {
    const urls = linksOfLine(line).links.map(({ url }) => url);

    expect(urls).toEqual(['https://a.example', 'https://b.example']);
  });

  it.each(['words', '# Heading', '[text](relative/path)', 'a.example and b.example', ''])(
    'finds no link in %j',
    (line) => {
      expect(linksOfLine(line).links).toEqual([]);
    },
  );

  it.each([
    ['[A](https://a.example) - what I think of it', true],
    ['See https://a.example for more', true],
    ['A https://a.example', false],
    ['- [x] [A](https://a.example) #b', false],
  ])('reports words that no link takes: %j', (line, hasOtherWords) => {
    expect(linksOfLine(line)).toMatchObject({ hasOtherWords });
  });
});
