import { membersOfLine } from './json-line.js';
import { Members } from './members.js';

/** A line that is parsed in pieces. */
const longLine = (values: object): string =>
  JSON.stringify({ url: 'https://a.example', page: { article: 'x'.repeat(3_000_000) }, ...values });

describe('a long line', () => {
  it('does not stop other work while it is parsed', async () => {
    const line = longLine({ x: Array.from({ length: 200_000 }, () => ({})) });
    let turns = 0;
    const count = (): void => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);

    const members = await membersOfLine(line);
    clearImmediate(next);

    expect(members).toBe('too large');
    expect(turns).toBeGreaterThan(0);
  });

  it('may contain a hundred long highlights', async () => {
    const highlight = { quote: 'q'.repeat(20_000), patch: 'p'.repeat(60_000) };

    const members = await membersOfLine(longLine({ annotations: Array(100).fill(highlight) }));

    expect(members).toBeInstanceOf(Members);
    expect((members as Members).get('url')).toBe('https://a.example');
    expect((members as Members).get('annotations')).toHaveLength(100);
  });

  it('keeps the beginning of a long text', async () => {
    const members = await membersOfLine(longLine({ note: '\n'.repeat(1_000_000) }));

    expect((members as Members).get('note')).toBe('\n'.repeat(100_000));
  });

  it('is no object if it has broken off', async () => {
    expect(await membersOfLine(longLine({}).slice(0, -2))).toBeUndefined();
  });
});
