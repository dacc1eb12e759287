import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'docs/decisions';
const INDEX = 'README.md';
const RECORDS = readdirSync(FOLDER).filter((name) => name !== INDEX);
const NUMBERS = new Set(RECORDS.map((name) => name.slice(0, 4)));

/** Matches `docs/decisions/0004`, and a link such as `[0004](0004-name.md)` within decisions. */
const MENTION = /decisions?\/? ?(\d{4})\b/g;
const MENTION_AMONG_DECISIONS = /\]\((\d{4})-[a-z0-9-]+\.md/g;

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mjs|md)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

const mentionsIn = (file: string, pattern: RegExp): string[] =>
  [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, number]) => `${number} in ${file}`);

const isDangling = (mention: string): boolean => !NUMBERS.has(mention.slice(0, 4));

describe('decision records', () => {
  it('exist for each number that the code or the docs mention', () => {
    const places = ['src', 'test', 'docs', 'scripts'].flatMap(files);
    const roots = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'jest.config.mjs'];
    const mentions = [...places, ...roots.filter((root) => existsSync(root))].flatMap((file) =>
      mentionsIn(file, MENTION),
    );

    expect(mentions.length).toBeGreaterThan(10);
    expect(mentions.filter(isDangling)).toEqual([]);
  });

  it('exist for each number that another record mentions', () => {
    const mentions = files(FOLDER)
      .filter((file) => !file.endsWith(INDEX))
      .flatMap((file) => mentionsIn(file, MENTION_AMONG_DECISIONS));

    expect(mentions.length).toBeGreaterThan(10);
    expect(mentions.filter(isDangling)).toEqual([]);
  });

  it('are numbered without gaps and have file names of lowercase words', () => {
    const names = RECORDS.toSorted();

    expect(names).toEqual(
      names.map((_, at) =>
        expect.stringMatching(
          new RegExp(`^${String(at + 1).padStart(4, '0')}-[a-z0-9]+(-[a-z0-9]+)*\\.md$`),
        ),
      ),
    );
  });

  it('are each listed once in the index, with their titles', () => {
    const index = readFileSync(join(FOLDER, INDEX), 'utf8');
    const listed = [...index.matchAll(/^- \[(.+)\]\((.+)\)$/gm)].map(([, title, file]) => [
      file,
      title,
    ]);
    const titles = RECORDS.map((file) => {
      const [heading = ''] = readFileSync(join(FOLDER, file), 'utf8').split('\n', 1);
      return [file, heading.slice('# '.length)];
    });

    expect(listed.toSorted()).toEqual(titles.toSorted());
  });

  it.each(RECORDS)(
    '%s has its number, status, context, decision, alternatives and consequences',
    (name) => {
      const text = readFileSync(join(FOLDER, name), 'utf8');

      expect(text).toMatch(new RegExp(`^# ${name.slice(0, 4)} \\S`));
      expect(text).toMatch(/^\*\*Status\.\*\* (Accepted|Superseded), \d{4}-\d{2}-\d{2}\./m);
      for (const part of ['Context', 'Decision', 'Alternatives', 'Consequences']) {
        expect(text).toContain(`**${part}.**`);
      }
    },
  );
});
