import { inTree } from './tag-tree.js';

const treeOf = (...names: readonly string[]): string[] =>
  inTree(
    names.map((name) => ({ name })),
    new Intl.Collator('en'),
  ).map(({ tag, depth, above }) => `${'-'.repeat(depth)}${above}|${tag.name.slice(above.length)}`);

describe('the tree of tags', () => {
  it('puts each tag below the tag whose name it continues', () => {
    expect(treeOf('travel', 'travel/italy/rome', 'art', 'travel/italy')).toEqual([
      '|art',
      '|travel',
      '-travel/|italy',
      '--travel/italy/|rome',
    ]);
  });

  it('leaves tags at the top if the tag above does not exist', () => {
    expect(treeOf('a/b', 'a/b/c', 'x/y/z', 'x')).toEqual(['|a/b', '-a/b/|c', '|x', '-x/|y/z']);
  });

  it('keeps the tags below a tag together, whatever other names begin alike', () => {
    expect(treeOf('a/z', 'ab', 'A', 'a b', 'a/q')).toEqual(['|A', '-a/|q', '-a/|z', '|a b', '|ab']);
  });

  it('accepts names of slashes only', () => {
    expect(treeOf('/', '//', 'a/', 'a')).toEqual(['|/', '-//|', '|a', '-a/|']);
  });
});
