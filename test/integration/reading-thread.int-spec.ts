import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  UnknownFormatError,
  UnreadableFileError,
} from '../../src/lib/library-formats/library-formats.errors.js';
import { ReaderEndedError, ReadingThread } from '../../src/transfer/import/reading-thread.js';

const HOUR_MS = 3_600_000;
const NEVER = new AbortController().signal;

let thread: ReadingThread;
afterEach(() => thread.close());

function file(content: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'satchel-reading-')), 'worker.mjs');
  writeFileSync(path, content);
  return path;
}

const urls = (count: number): string =>
  Array.from({ length: count }, (_, at) => `https://example.com/${at}\n`).join('');

async function numbersAfter(rowsDone: number): Promise<number[]> {
  const numbers: number[] = [];
  for await (const rows of thread.batches(rowsDone, NEVER)) {
    numbers.push(...rows.map(({ rowNumber }) => rowNumber));
  }
  return numbers;
}

describe('a thread that reads an imported file', () => {
  it('counts the rows, and returns the rows after a given row', async () => {
    thread = new ReadingThread(HOUR_MS);

    expect(await thread.open(file(urls(250)))).toMatchObject({ format: 'urls' });
    expect(await thread.count(NEVER)).toMatchObject({ rowCount: 250 });
    expect(await numbersAfter(247)).toEqual([248, 249, 250]);
  });

  it.each([
    ['words and words', UnknownFormatError],
    ['', UnreadableFileError],
  ])('rejects a file that cannot be read with the reason: %j', async (content, error) => {
    thread = new ReadingThread(HOUR_MS);

    await expect(thread.open(file(content))).rejects.toBeInstanceOf(error);
  });

  it.each([
    ['is held up', 'export default () => { for (;;); }', 500],
    ['ends', 'export default () => { process.exit(1); }', HOUR_MS],
    [
      'runs out of memory',
      'export default () => { const all = []; for (;;) all.push(new Array(1e6).fill(1)); }',
      HOUR_MS,
    ],
  ])('that %s is ended without blocking the service', async (_, code, silenceMs) => {
    thread = new ReadingThread(silenceMs, file(code));
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 10);

    await expect(thread.open('x')).rejects.toBeInstanceOf(ReaderEndedError);

    clearInterval(turning);
    expect(turns).toBeGreaterThan(0);
  });

  it('is not stopped while it makes progress', async () => {
    const code = `
      const file = { open: ({ beats }) => { setInterval(() => Atomics.add(beats, 0, 1), 10); return { kind: 'opened', format: 'x' }; },
        count: () => new Promise((done) => setTimeout(() => done({ kind: 'counted', rows: 7 }), 4500)) };
      export default (task) => file[task.kind](task);`;
    thread = new ReadingThread(2000, file(code));
    await thread.open('x');

    expect(await thread.count(NEVER)).toMatchObject({ rowCount: 7 });
  });

  it('is stopped if one answer takes too long', async () => {
    const code = `
      export default ({ beats }) => { setInterval(() => Atomics.add(beats, 0, 1), 10); return new Promise(() => {}); };`;
    thread = new ReadingThread(HOUR_MS, file(code), 500);

    await expect(thread.open('x')).rejects.toBeInstanceOf(ReaderEndedError);
  });

  it('is stopped when its caller aborts', async () => {
    const code = `export default () => new Promise(() => setInterval(() => {}, 1000));`;
    thread = new ReadingThread(HOUR_MS, file(code));
    const stop = new AbortController();
    const counting = thread.count(stop.signal);

    stop.abort();

    await expect(counting).rejects.toBeInstanceOf(ReaderEndedError);
  });
});
