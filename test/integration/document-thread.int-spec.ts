import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';

import type { DocumentTask } from '../../src/extraction/documents/describe-document.worker.js';
import { DocumentThread } from '../../src/extraction/documents/document-thread.js';
import { aPdf } from '../support/a-pdf.js';
import { processorSeconds } from '../support/processor-time.js';

const task = (kind: DocumentTask['kind'], text: string | Buffer, type?: string): DocumentTask => ({
  kind,
  bytes: new Uint8Array(Buffer.from(text)),
  contentType: type,
});

const JPEG_OF_MARKERS = Buffer.alloc(262_144, Buffer.from([0, 0, 0, 8]));
JPEG_OF_MARKERS.write('ffd8ffe1', 'hex');

/** What a document takes here is a fraction of it; a busy machine takes its time to start a thread. */
const PATIENT_MS = 60_000;

describe('a thread for documents', () => {
  const thread = new DocumentThread(PATIENT_MS);
  afterAll(() => thread.close());

  it.each<[DocumentTask['kind'], string, object]>([
    ['text', 'A heading\n\nSome words.', { title: 'A heading', excerpt: 'Some words.' }],
    ['feed', '<rss><channel><title>News</title></channel></rss>', { title: 'News' }],
    ['image', '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"/>', { width: 30 }],
    ['pdf', 'no PDF', {}],
  ])('tells what a %s says', async (kind, text, facts) => {
    expect((await thread.describe(task(kind, text))).facts).toMatchObject(facts);
  });

  it('reads text by its charset, and takes the bytes', async () => {
    const text = task(
      'text',
      Buffer.from('Caf\u00e9\nau lait', 'latin1'),
      'text/plain; charset=latin1',
    );

    expect(await thread.describe(text)).toMatchObject({
      facts: { title: 'Caf\u00e9' },
      encoding: 'LATIN1',
    });
    expect(text.bytes.byteLength).toBe(0);
  });

  it.each<[string, DocumentTask['kind'], () => string | Buffer]>([
    ['10 MB of text', 'text', () => 'some words of a text '.repeat(500_000)],
    ['10 MB of noise', 'text', () => Buffer.alloc(10_000_000, 'a\xff\x80<', 'latin1')],
    ['10 MB of NULs', 'text', () => Buffer.alloc(10_000_000)],
    ['100,000 entries', 'feed', () => `<rss><channel>${'<item><link>x</link></item>'.repeat(1e5)}`],
    ['3,000,000 lists', 'feed', () => `{"items":[${'[],'.repeat(3_000_000)}1]}`],
    ['a picture of markers', 'image', () => JPEG_OF_MARKERS],
  ])('ends with %s, and goes on', async (_what, kind, bytes) => {
    expect(await thread.describe(task(kind, bytes()))).toHaveProperty('facts');
    expect((await thread.describe(task('text', 'Next\none'))).facts.title).toBe('Next');
  });
});

/** In a heap of 256 MB, and within the time of two tries by the limit of the service, which is one of processor time here. */
describe('a long PDF', () => {
  const thread = new DocumentThread(PATIENT_MS);
  afterAll(() => thread.close());

  const words = (lines: number): string =>
    `BT /F 10 Tf 50 750 Td ${'(some words of a line) Tj 0 -12 Td '.repeat(lines)}ET`;
  const pages = (count: number, content: string): Buffer =>
    aPdf('<< /Title (Long) >>', ...Array.from({ length: count }, () => content));

  it.each<[string, Buffer]>([
    ['has 2,000 pages', pages(2000, words(60))],
    ['has 20,000 empty pages', pages(20_000, '')],
    ['has 250,000 lines on a page', pages(1, words(250_000))],
    ['draws a million times', pages(1, '0 0 m 1 1 l '.repeat(700_000))],
    ['opens a million brackets', pages(1, '['.repeat(9_000_000))],
  ])('keeps its title, and the thread goes on: it %s', async (_what, bytes) => {
    let title: string | undefined;

    const seconds = await processorSeconds(async () => {
      ({ title } = (await thread.describe(task('pdf', bytes))).facts);
    });

    expect(title).toBe('Long');
    expect(seconds).toBeLessThan(20);
    expect((await thread.describe(task('text', 'Next\none'))).facts.title).toBe('Next');
  });

  it('takes little memory for a small one that unpacks to 800 MB', async () => {
    const packed = deflateSync(Buffer.alloc(800_000_000, ' ')).toString('latin1');
    const plain = pages(1, packed).toString('latin1');
    const bomb = plain.replace(/(\/Length \d{4,}) >>/u, '$1 /Filter /FlateDecode >>');
    const before = process.memoryUsage().rss;
    let most = 0;
    const looking = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss - before);
    }, 20);

    const { facts } = await thread.describe(task('pdf', Buffer.from(bomb, 'latin1')));
    clearInterval(looking);

    expect(facts.title).toBe('Long');
    expect(most).toBeLessThan(400_000_000);
  });

  it('counts the words of all its pages', async () => {
    const { facts } = await thread.describe(task('pdf', pages(20, words(60))));

    expect(facts.wordCount).toBe(20 * 60 * 5);
  });
});

describe('a document that is too much for the thread', () => {
  const worker = join(mkdtempSync(join(tmpdir(), 'satchel-thread-')), 'worker.mjs');
  writeFileSync(
    worker,
    `export default ({ contentType, part }) => {
       if (contentType === 'exits') process.exit(3);
       if (contentType === 'throws') throw new Error('x');
       while (contentType === 'hangs' || (contentType === 'only its head' && part !== 'head'));
       return { facts: { title: 'read' }, encoding: '' };
     }`,
  );

  it.each(['exits', 'throws', 'hangs'])('says nothing: it %s', async (what) => {
    const thread = new DocumentThread(1000, worker);

    expect(await thread.describe(task('pdf', '', what))).toEqual({ facts: {}, encoding: '' });
    await thread.close();
  });

  it('says what it is called, when its head is not', async () => {
    const thread = new DocumentThread(1000, worker);

    expect(await thread.describe(task('pdf', '', 'only its head'))).toMatchObject({
      facts: { title: 'read' },
    });
    await thread.close();
  });

  it('does not take time from the documents behind it', async () => {
    const thread = new DocumentThread(1500, worker);

    const read = await Promise.all(
      ['hangs', 'hangs', 'reads'].map((what) => thread.describe(task('pdf', '', what))),
    );

    expect(read.map(({ facts }) => facts.title)).toEqual([undefined, undefined, 'read']);
    await thread.close();
  });

  it('leaves no caller waiting when the thread is closed', async () => {
    const thread = new DocumentThread(60_000, worker);
    const waiting = ['hangs', 'reads'].map((what) => thread.describe(task('pdf', '', what)));

    await thread.close();

    expect((await Promise.all(waiting)).map(({ facts }) => facts)).toEqual([{}, {}]);
  });
});
