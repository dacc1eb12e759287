import { writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  ExtractionClosedError,
  ExtractionQueueFullError,
} from '../../src/lib/extraction/extraction.errors.js';
import { ExtractionPool } from '../../src/lib/extraction/extraction-pool.js';

const URL = 'https://courier.example/stories/one';
const PROSE =
  '<p>This is a paragraph of an ordinary article, with some words, a comma or two, and a full stop at its end.</p>';
const page = (body: string): string =>
  `<html><head><title>A hostile page</title></head><body>${body}</body></html>`;
const ordinary = { html: page(`<h1>A quiet page</h1>${PROSE.repeat(9)}`), url: URL };

/** Starting a thread takes seconds on a busy machine, which must not count as a slow page. */
const PATIENT_MS = 60_000;
const PAGE_MS = 200;
const SECOND = 1000;
const SLEEP = (ms: number): string =>
  `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms})`;

describe('a pool of extraction threads', () => {
  let pool: ExtractionPool;

  beforeAll(async () => {
    pool = new ExtractionPool({ threads: 1, headMs: PATIENT_MS });
    await pool.extract(ordinary);
  });

  afterAll(() => pool.close());

  it('returns the content of a page', async () => {
    const { content, trouble } = await pool.extract(ordinary);

    expect(trouble).toBeUndefined();
    expect(content).toMatchObject({ title: 'A quiet page', lang: 'en' });
    expect(content.wordCount).toBeGreaterThan(20);
  });

  it('decodes bytes by their charset and takes over the buffer', async () => {
    const bytes = new Uint8Array(Buffer.from(page('<h1>Caf\u00e9</h1>'.repeat(2)), 'latin1'));
    const contentType = 'text/html; charset=iso-8859-1';

    const { content, encoding } = await pool.extract({ bytes, contentType, url: URL });

    expect(content.text).toContain('Caf\u00e9');
    expect(encoding).toBe('ISO-8859-1');
    expect(bytes.byteLength).toBe(0);
  });
});

describe('a page that exceeds the limits of its thread', () => {
  it('keeps its title but has no text if it takes too long', async () => {
    const pool = new ExtractionPool({ threads: 1, pageMs: 1, headMs: PATIENT_MS });

    const { content, trouble } = await pool.extract(ordinary);

    expect(trouble).toBeDefined();
    expect(content).toMatchObject({ title: 'A hostile page', text: '', wordCount: 0 });
    await pool.close();
  });

  it('keeps its title if it was passed as bytes', async () => {
    const pool = new ExtractionPool({ threads: 1, pageMs: 1, headMs: PATIENT_MS });
    const bytes = new Uint8Array(Buffer.from(ordinary.html));

    const { content } = await pool.extract({ bytes, contentType: undefined, url: URL });

    expect(content).toMatchObject({ title: 'A hostile page', text: '' });
    await pool.close();
  });

  it('has no title if its head takes too long as well', async () => {
    const pool = new ExtractionPool({ threads: 1, pageMs: 1, headMs: 1 });

    const { content } = await pool.extract(ordinary);

    expect(content).toMatchObject({ title: '', usedFallback: true });
    await pool.close();
  });

  it('has no text if it takes too much memory', async () => {
    const pool = new ExtractionPool({
      threads: 1,
      heapMb: 24,
      pageMs: PATIENT_MS,
      headMs: PATIENT_MS,
    });
    const html = page(`<div><p>${PROSE}</p></div>`.repeat(15_000));

    const { content, trouble } = await pool.extract({ html, url: URL });
    const next = await pool.extract(ordinary);

    expect(trouble).toMatchObject({ code: 'ERR_WORKER_OUT_OF_MEMORY' });
    expect(content.text).toBe('');
    expect(next.content.title).toBe('A quiet page');
    await pool.close();
  });
});

describe('an extraction thread', () => {
  it.each([
    ['throws', "export default () => { throw new Error('x') }"],
    ['exits', 'export default () => { process.exit(3) }'],
    [
      'runs out of memory',
      'export default () => { const all = []; for (;;) all.push(new Array(1e6).fill(1)); }',
    ],
    ['never answers', 'export default () => { for (;;); }'],
    ['sleeps', `export default () => ${SLEEP(PATIENT_MS)}`],
  ])('that %s does not break the pool', async (_name, code) => {
    const worker = join(await mkdtemp(join(tmpdir(), 'satchel-thread-')), 'worker.mjs');
    writeFileSync(worker, code);
    const limits = { threads: 1, heapMb: 32, pageMs: PAGE_MS, headMs: PAGE_MS, startMs: PAGE_MS };
    const pool = new ExtractionPool(limits, worker);

    const first = await pool.extract(ordinary);
    const second = await pool.extract(ordinary);

    expect(first).toMatchObject({ trouble: expect.anything(), content: { title: '' } });
    expect(second).toMatchObject({ trouble: expect.anything(), content: { title: '' } });
    await pool.close();
  });

  it('may wait for longer than its CPU time limit', async () => {
    const worker = join(await mkdtemp(join(tmpdir(), 'satchel-thread-')), 'worker.mjs');
    const waits = `if (page.part === 'page') ${SLEEP(1.5 * SECOND)};`;
    writeFileSync(
      worker,
      `export default (page) => { ${waits} return { content: {}, encoding: 'X' }; }`,
    );
    const pool = new ExtractionPool({ threads: 1, pageMs: SECOND, startMs: PATIENT_MS }, worker);

    expect(await pool.extract(ordinary)).toMatchObject({ trouble: undefined, encoding: 'X' });
    await pool.close();
  });

  it('may take longer to start than to extract a page', async () => {
    const worker = join(await mkdtemp(join(tmpdir(), 'satchel-thread-')), 'worker.mjs');
    writeFileSync(
      worker,
      `${SLEEP(10 * PAGE_MS)}; export default () => ({ content: {}, encoding: 'X' });`,
    );
    const limits = { threads: 1, pageMs: PAGE_MS, headMs: PAGE_MS, startMs: PATIENT_MS };
    const pool = new ExtractionPool(limits, worker);

    expect(await pool.extract(ordinary)).toMatchObject({ trouble: undefined, encoding: 'X' });
    await pool.close();
  });

  it('may be replaced after two pages without losing a page', async () => {
    const pool = new ExtractionPool({
      threads: 1,
      pagesPerThread: 2,
      pageMs: PATIENT_MS,
      headMs: PATIENT_MS,
    });

    const titles = await Promise.all(
      Array.from({ length: 7 }, async () => (await pool.extract(ordinary)).content.title),
    );

    expect(titles).toEqual(Array.from({ length: 7 }, () => 'A quiet page'));
    await pool.close();
  });

  it('has no environment variables', async () => {
    const worker = join(await mkdtemp(join(tmpdir(), 'satchel-thread-')), 'worker.mjs');
    writeFileSync(
      worker,
      'export default () => ({ content: { names: Object.keys(process.env) } })',
    );
    const pool = new ExtractionPool({ threads: 1, pageMs: PATIENT_MS }, worker);

    expect((await pool.extract(ordinary)).content).toEqual({ names: [] });
    await pool.close();
  });
});

describe('the queue of an extraction pool', () => {
  it('rejects pages when it is full, and all pages after it is closed', async () => {
    const pool = new ExtractionPool({
      threads: 1,
      queue: 1,
      pageMs: PATIENT_MS,
      headMs: PATIENT_MS,
    });
    const taken = [pool.extract(ordinary), pool.extract(ordinary)];

    await expect(pool.extract(ordinary)).rejects.toThrow(ExtractionQueueFullError);
    await expect(Promise.all(taken)).resolves.toHaveLength(2);
    await pool.close();
    await expect(pool.extract(ordinary)).rejects.toThrow(ExtractionClosedError);
  });

  it('rejects a pending page with ExtractionClosedError when it is closed', async () => {
    const pool = new ExtractionPool({ threads: 1 });
    const waiting = expect(pool.extract(ordinary)).rejects.toThrow(ExtractionClosedError);

    await pool.close();
    await waiting;
  });

  it('settles all pending calls when it is closed', async () => {
    const pool = new ExtractionPool({ threads: 1 });
    const waiting = Promise.allSettled([pool.extract(ordinary), pool.extract(ordinary)]);

    await pool.close();

    expect(await waiting).toHaveLength(2);
  });
});
