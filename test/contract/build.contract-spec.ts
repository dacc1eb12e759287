import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const WEB = 'src/web';

const templatesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.eta'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length))
    .toSorted();

describe('the build', () => {
  it('contains an unchanged copy of each page template', () => {
    expect(templatesIn(join('dist', WEB))).toEqual(templatesIn(WEB));
    for (const file of templatesIn(WEB)) {
      expect(readFileSync(join('dist', WEB, file))).toEqual(readFileSync(join(WEB, file)));
    }
  });
});
