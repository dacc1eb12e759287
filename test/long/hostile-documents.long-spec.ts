import { deflateSync } from 'node:zlib';

import type { DocumentTask } from '../../src/lib/extraction/documents/describe-document.worker.js';
import { DocumentThread } from '../../src/lib/extraction/documents/document-thread.js';
import { aLongPdf, someWords } from '../support/a-pdf.js';
import { processorSeconds } from '../support/processor-time.js';

const task = (kind: DocumentTask['kind'], bytes: string | Buffer): DocumentTask => ({
  kind,
  bytes: new Uint8Array(Buffer.from(bytes)),
  contentType: undefined,
});

const JPEG_OF_MARKERS = Buffer.alloc(262_144, Buffer.from([0, 0, 0, 8]));
JPEG_OF_MARKERS.write('ffd8ffe1', 'hex');

/** Documents take a fraction of this. Starting a thread is slow on a busy machine. */
const PATIENT_MS = 60_000;

describe('a document thread', () => {
  const thread = new DocumentThread(PATIENT_MS);
  afterAll(() => thread.close());

  it.each<[string, DocumentTask['kind'], () => string | Buffer]>([
    ['10 MB of text', 'text', () => 'some words of a text '.repeat(500_000)],
    ['10 MB of noise', 'text', () => Buffer.alloc(10_000_000, 'a\xff\x80<', 'latin1')],
    ['10 MB of NULs', 'text', () => Buffer.alloc(10_000_000)],
    ['100,000 entries', 'feed', () => `<rss><channel>${'<item><link>x</link></item>'.repeat(1e5)}`],
    ['3,000,000 lists', 'feed', () => `{"items":[${'[],'.repeat(3_000_000)}1]}`],
    ['a picture of markers', 'image', () => JPEG_OF_MARKERS],
  ])('finishes with %s and can be used again', async (_what, kind, bytes) => {
    expect(await thread.describe(task(kind, bytes()))).toHaveProperty('facts');
    expect((await thread.describe(task('text', 'Next\none'))).facts.title).toBe('Next');
  });
});

/** The heap has 256 MB. The time limit is that of two attempts in the service, measured as processor time. */
describe('a long PDF', () => {
  const thread = new DocumentThread(PATIENT_MS);
  afterAll(() => thread.close());

  it.each<[string, Buffer]>([
    ['has 2,000 pages', aLongPdf(2000, someWords(60))],
    ['has 20,000 empty pages', aLongPdf(20_000, '')],
    ['has 250,000 lines on a page', aLongPdf(1, someWords(250_000))],
    ['draws a million times', aLongPdf(1, '0 0 m 1 1 l '.repeat(700_000))],
    ['opens a million brackets', aLongPdf(1, '['.repeat(9_000_000))],
  ])('has its title and does not block the thread: it %s', async (_what, bytes) => {
    let title: string | undefined;

    const seconds = await processorSeconds(async () => {
      ({ title } = (await thread.describe(task('pdf', bytes))).facts);
    });

    expect(title).toBe('Long');
    expect(seconds).toBeLessThan(20);
    expect((await thread.describe(task('text', 'Next\none'))).facts.title).toBe('Next');
  });

  it('needs little memory if it is small but unpacks to 800 MB', async () => {
    const packed = deflateSync(Buffer.alloc(800_000_000, ' ')).toString('latin1');
    const plain = aLongPdf(1, packed).toString('latin1');
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
});
