import { Parsers } from '../../src/articles/resolver/parsers.js';
import { aLongPdf, someWords } from '../support/a-pdf.js';

const HOUR_MS = 3_600_000;
const PATIENT = { threads: 1, pageMs: HOUR_MS, headMs: HOUR_MS };
const html = `<title>A page</title><p>${'Some words of it. '.repeat(20)}</p>`;
const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

describe('a document of one user behind many documents of another user', () => {
  let parsers: Parsers;

  beforeEach(() => {
    parsers = new Parsers({ pages: PATIENT, documentMs: HOUR_MS });
  });
  afterEach(() => parsers.onApplicationShutdown());

  const page = (userId: string): Promise<unknown> =>
    parsers.html(userId, { html, url: 'https://a.example/' });
  const text = (userId: string): Promise<unknown> =>
    parsers.document(userId, { kind: 'text', bytes: bytes('words'), contentType: 'text/plain' });
  const pdf = (userId: string): Promise<unknown> =>
    parsers.document(userId, { kind: 'pdf', bytes: bytes('%PDF-1.4'), contentType: undefined });

  it.each([
    ['page', page],
    ['text', text],
    ['PDF', pdf],
  ])('waits for at most two of these %ss', async (_, parse) => {
    const ended: string[] = [];
    const parsed = async (userId: string): Promise<void> => {
      await parse(userId);
      ended.push(userId);
    };

    await Promise.all(['a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'b'].map(parsed));

    expect(ended).toHaveLength(9);
    expect(ended.indexOf('b')).toBeLessThanOrEqual(2);
  });

  it('is parsed between two parts of a long PDF, which is parsed completely', async () => {
    const pages = new Uint8Array(aLongPdf(1500, someWords(6)));
    const long = parsers.document('a', { kind: 'pdf', bytes: pages, contentType: undefined });
    let isLongRead = false;
    const reading = long.then((read) => {
      isLongRead = true;
      return read;
    });

    await pdf('b');

    expect(isLongRead).toBe(false);
    const { facts, article = '' } = await reading;
    expect(facts).toMatchObject({ title: 'Long', wordCount: 1500 * 6 * 5 });
    expect(article.match(/some words of a line/g)).toHaveLength(1500 * 6);
  });
});
