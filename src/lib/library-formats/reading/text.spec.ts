import { type Line, linesOf } from './text.js';

const MAX_LENGTH = 100;
const TEXT = 'one\r\n\ntwo\rthree\r\r\nfour\n\rfive\r';

async function* chunks(text: string, length: number): AsyncGenerator<string> {
  await Promise.resolve();
  for (let at = 0; at < text.length; at += length) {
    yield text.slice(at, at + length);
  }
}

async function linesIn(text: string, chunkLength: number): Promise<Line[]> {
  const found: Line[] = [];
  for await (const lines of linesOf(chunks(text, chunkLength), MAX_LENGTH)) {
    found.push(...lines);
  }
  return found;
}

describe('the lines of a text', () => {
  it.each([1, 2, 3, 4, 5, 100])('are the same in chunks of %i characters', async (length) => {
    const lines = await linesIn(TEXT, length);

    expect(lines.map(({ text }) => text)).toEqual([
      ...['one\r\n', '\n', 'two\r', 'three\r', '\r\n', 'four\n', '\r', 'five\r'],
    ]);
    expect(lines.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it.each([1, 7, 1000])('are cut if they are too long, in chunks of %i', async (length) => {
    const lines = await linesIn(`${'x'.repeat(500)}\r\nshort\n${'y'.repeat(500)}`, length);

    expect(lines.map(({ number, isTooLong }) => [number, isTooLong])).toEqual([
      ...[
        [1, true],
        [2, false],
        [3, true],
      ],
    ]);
    expect(lines[1]!.text).toBe('short\n');
  });
});
