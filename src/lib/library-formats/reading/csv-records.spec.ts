import fc from 'fast-check';

import { type CsvRecord, CsvRecords } from './csv-records.js';
import { linesOf } from './text.js';

const WIDTH = 3;
const HEADER = { delimiter: ',', columns: ['a', 'b', 'c'] };

const quoted = (field: string): string => `"${field.replaceAll('"', '""')}"`;
/** Writes a field as RFC 4180 requires: with quotes where they are necessary, and optionally elsewhere. */
const written = (field: string, isQuoted: boolean): string =>
  isQuoted || /[",\r\n]/.test(field) ? quoted(field) : field;

async function* inPieces(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) {
    yield await Promise.resolve(text.slice(at, at + size));
  }
}

async function recordsOf(text: string, size: number): Promise<readonly CsvRecord[]> {
  const records = new CsvRecords(HEADER);
  for await (const lines of linesOf(inPieces(text, size), 1_000_000)) {
    lines.forEach((line) => {
      records.take(line);
    });
  }
  records.end();
  return records.takeRecords();
}

const field = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', ';', ' ', 'x'), maxLength: 12 }),
);
// The first field always has text, so no row is a blank line.
const record = fc.tuple(fc.constantFrom('x', '"', 'a\nb'), field, field);

describe('the records of a table', () => {
  it('are those that were written', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { maxLength: 8 }),
        fc.constantFrom('\r\n', '\n'),
        fc.boolean(),
        fc.integer({ min: 1, max: 40 }),
        async (rows, lineEnd, isQuoted, size) => {
          const lines = rows.map((row) => row.map((one) => written(one, isQuoted)).join(','));

          const records = await recordsOf(lines.join(lineEnd), size);

          expect(records.map((one) => ('fields' in one ? one.fields : one))).toEqual(rows);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('never lose a sound line to the broken ones beside it', async () => {
    const sound = 'sound,https://a.example,1';
    const broken = fc.constantFrom('"open,x,y', 'x,"open,y', 'a "b" c,"x', '"a"b",c,d', '"');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(broken, fc.constant(sound))), async (lines) => {
        const records = await recordsOf(lines.join('\n'), 64);

        const found = records.filter((one) => 'fields' in one && one.fields[0] === 'sound');
        expect(found).toHaveLength(lines.filter((line) => line === sound).length);
        expect(found.every((one) => 'fields' in one && one.fields.length === WIDTH)).toBe(true);
      }),
    );
  });

  it('are as many as lines where each opens a quote', async () => {
    const records = await recordsOf('"x\n'.repeat(3000), 1000);

    expect(records).toHaveLength(3000);
    expect(records.every((one) => 'error' in one)).toBe(true);
  });
});
