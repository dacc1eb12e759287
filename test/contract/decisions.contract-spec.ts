import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'docs/decisions';
const NUMBERS = new Set(readdirSync(FOLDER).map((name) => name.slice(0, 4)));

/** `docs/decisions/0004`, and `(0004)` within the decisions. */
const MENTION = /decisions?\/? ?(\d{4})\b/g;
const MENTION_AMONG_DECISIONS = /\((\d{4})\)/g;

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mjs|md)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

const mentionsIn = (file: string, pattern: RegExp): string[] =>
  [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, number]) => `${number} in ${file}`);

const isDangling = (mention: string): boolean => !NUMBERS.has(mention.slice(0, 4));

describe('decision records', () => {
  it('exist wherever one is named', () => {
    const places = ['src', 'test', 'docs', 'scripts'].flatMap(files);
    const roots = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'jest.config.mjs'];
    const mentions = [...places, ...roots.filter((root) => existsSync(root))].flatMap((file) =>
      mentionsIn(file, MENTION),
    );

    expect(mentions.length).toBeGreaterThan(10);
    expect(mentions.filter(isDangling)).toEqual([]);
  });

  it('exist wherever another record names one', () => {
    const mentions = files(FOLDER).flatMap((file) => mentionsIn(file, MENTION_AMONG_DECISIONS));

    expect(mentions.filter(isDangling)).toEqual([]);
  });

  it('are numbered without gaps, under names that say what they are about', () => {
    const names = readdirSync(FOLDER).toSorted();

    expect(names).toEqual(
      names.map((_, at) =>
        expect.stringMatching(
          new RegExp(`^${String(at + 1).padStart(4, '0')}-[a-z0-9]+(-[a-z0-9]+)*\\.md$`),
        ),
      ),
    );
  });

  it.each(readdirSync(FOLDER))(
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
