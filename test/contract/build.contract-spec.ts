import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const VIEWS = 'src/web/views';

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length))
    .toSorted();

describe('what is built', () => {
  it('has the templates of the pages, which the compiler does not copy', () => {
    expect(filesIn(join('dist', VIEWS))).toEqual(filesIn(VIEWS));
    for (const file of filesIn(VIEWS)) {
      expect(readFileSync(join('dist', VIEWS, file))).toEqual(readFileSync(join(VIEWS, file)));
    }
  });
});
