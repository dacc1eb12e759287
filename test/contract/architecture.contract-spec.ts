import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const document = readFileSync('docs/develop/architecture.md', 'utf8');

/** Parses the folders of the tree in the document. Two more spaces mean one level deeper. */
function drawnFolders(): string[] {
  const path: string[] = [];
  const tree = /```\n(src\/\n[\s\S]*?)```/.exec(document)?.[1] ?? '';
  return [...tree.matchAll(/^( *)([\w-]+(?:\/[\w-]+)*)\/(?= |$)/gm)].map(
    ([, indent = '', name = '']) => {
      path.splice(indent.length / 2, Infinity, name);
      return path.join('/');
    },
  );
}

const foldersIn = (parent: string): string[] =>
  readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(parent, name));

const TOP = new Set(foldersIn('.'));

/** Returns the path of a named file. Paths are relative to src unless they begin with a top-level folder. */
const pathOf = (file: string): string =>
  TOP.has(file.split('/')[0] ?? '') ? file : join('src', file);

describe('docs/develop/architecture.md', () => {
  it('draws all folders of src and their subfolders', () => {
    const rooms = foldersIn('src');

    expect(drawnFolders()).toEqual(expect.arrayContaining([...rooms, ...rooms.flatMap(foldersIn)]));
  });

  it('draws only folders that exist', () => {
    const gone = drawnFolders().filter((folder) => !existsSync(folder));

    expect(gone).toEqual([]);
  });

  it('names only files that exist', () => {
    const named = [...document.matchAll(/`([\w./-]+\.(?:ts|js|mjs|json|eta|html))`/g)].map(
      ([, file]) => file ?? '',
    );

    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((file) => !existsSync(pathOf(file)))).toEqual([]);
  });

  it('describes each folder', () => {
    const silent = [...document.matchAll(/^ {2,}([\w/-]+)\/ *$/gm)].map(([line]) => line);

    expect(silent).toEqual([]);
  });
});
