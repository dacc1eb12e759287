import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { DocumentTask } from '../../src/lib/extraction/documents/describe-document.worker.js';
import { DocumentThread } from '../../src/lib/extraction/documents/document-thread.js';
import { aLongPdf, someWords } from '../support/a-pdf.js';

const task = (kind: DocumentTask['kind'], text: string | Buffer, type?: string): DocumentTask => ({
  kind,
  bytes: new Uint8Array(Buffer.from(text)),
  contentType: type,
});

/** Documents take a fraction of this. Starting a thread is slow on a busy machine. */
const PATIENT_MS = 60_000;

describe('a document thread', () => {
  const thread = new DocumentThread(PATIENT_MS);
  afterAll(() => thread.close());

  it.each<[DocumentTask['kind'], string, object]>([
    ['text', 'A heading\n\nSome words.', { title: 'A heading', excerpt: 'Some words.' }],
    ['feed', '<rss><channel><title>News</title></channel></rss>', { title: 'News' }],
    ['image', '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"/>', { width: 30 }],
    ['pdf', 'no PDF', {}],
  ])('returns the facts of a %s', async (kind, text, facts) => {
    expect((await thread.describe(task(kind, text))).facts).toMatchObject(facts);
  });

  it('decodes text by its charset and takes over the buffer', async () => {
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

  it('counts the words of all pages of a PDF', async () => {
    const { facts } = await thread.describe(task('pdf', aLongPdf(20, someWords(60))));

    expect(facts.wordCount).toBe(20 * 60 * 5);
  });
});

describe('a document that its thread cannot read', () => {
  const worker = join(mkdtempSync(join(tmpdir(), 'satchel-thread-')), 'worker.mjs');
  writeFileSync(
    worker,
    `export default ({ contentType, part }) => {
       if (contentType === 'exits') process.exit(3);
       if (contentType === 'throws') throw new Error('x');
       while (contentType === 'is busy');
       if (contentType === 'hangs' || (contentType === 'only its head' && part !== 'head')) {
         Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
       }
       return { facts: { title: 'read' }, encoding: '' };
     }`,
  );

  it.each([
    ['exits', 1000],
    ['throws', 1000],
    ['is busy', 300],
    ['hangs', 300],
  ])('has no facts: it %s', async (what, limitMs) => {
    const thread = new DocumentThread(limitMs, worker);

    expect(await thread.describe(task('pdf', '', what))).toEqual({ facts: {}, encoding: '' });
    await thread.close();
  });

  it('keeps the facts of its head if the rest hangs', async () => {
    const thread = new DocumentThread(1000, worker);

    expect(await thread.describe(task('pdf', '', 'only its head'))).toMatchObject({
      facts: { title: 'read' },
    });
    await thread.close();
  });

  it('does not use up the time of queued documents', async () => {
    const thread = new DocumentThread(1500, worker);

    const read = await Promise.all(
      ['hangs', 'hangs', 'reads'].map((what) => thread.describe(task('pdf', '', what))),
    );

    expect(read.map(({ facts }) => facts.title)).toEqual([undefined, undefined, 'read']);
    await thread.close();
  });

  it('gets no facts when the thread is closed', async () => {
    const thread = new DocumentThread(60_000, worker);
    const waiting = ['hangs', 'reads'].map((what) => thread.describe(task('pdf', '', what)));

    await thread.close();

    expect((await Promise.all(waiting)).map(({ facts }) => facts)).toEqual([{}, {}]);
  });
});
