import { describePdf, describePdfHead } from '../../src/extraction/documents/pdf.js';
import { aPdf } from '../support/a-pdf.js';

const CONTENT =
  'BT /F 10 Tf 50 750 Td (A journal) Tj 0 -30 Td /F 24 Tf (On the Matter) Tj 0 -30 Td (of Matter) Tj ' +
  '0 -30 Td /F 10 Tf (It matters.) Tj ET';

describe('a PDF', () => {
  it('tells its title, author and language, and how it begins', async () => {
    const facts = await describePdf(aPdf('<< /Title (My Paper) /Author (A. Writer) >>', CONTENT));

    expect(facts).toEqual({
      title: 'My Paper',
      author: 'A. Writer',
      language: 'en-GB',
      excerpt: 'A journal On the Matter of Matter It matters.',
      wordCount: 9,
    });
  });

  it.each(['', '/Title ()', '/Title (Microsoft Word - a.doc)', '/Title (paper.dvi)', '/Title 7'])(
    'is named by its largest words when its title is none: %s',
    async (title) => {
      const facts = await describePdf(aPdf(`<< ${title} >>`, CONTENT));

      expect(facts.title).toBe('On the Matter of Matter');
    },
  );

  it('has the words of all its pages, and those of the first for an excerpt', async () => {
    const pages = ['(The first page of it)', '(The second)', '[(and the th) 20 (ird)]'].map(
      (words) => `BT /F 10 Tf 50 750 Td ${words} ${words.startsWith('[') ? 'TJ' : 'Tj'} ET`,
    );

    const facts = await describePdf(aPdf('<< /Title (My Paper) >>', ...pages));

    expect(facts).toMatchObject({ excerpt: 'The first page of it', wordCount: 10 });
  });

  it('with a page that cannot be read has the words of those before it', async () => {
    const bytes = aPdf('<< >>', CONTENT, CONTENT, CONTENT).toString('latin1');

    const facts = await describePdf(
      Buffer.from(bytes.replace('/Kids [5 0 R 7 0 R', '/Kids [5 0 R 99 0 R'), 'latin1'),
    );

    expect(facts.wordCount).toBe(9);
  });

  it('is described without its pages where they are not looked at', async () => {
    const facts = await describePdfHead(aPdf('<< /Title (My Paper) >>', CONTENT));

    expect(facts).toEqual({ title: 'My Paper', language: 'en-GB' });
  });

  it('reads titles in Unicode', async () => {
    const facts = await describePdf(aPdf('<< /Title <FEFF04200443> >>', CONTENT));

    expect(facts.title).toBe('Ру');
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['no PDF', Buffer.from('hello')],
    ['its beginning', aPdf('<< /Title (My Paper) >>', CONTENT).subarray(0, 200)],
    ['a head and noise', Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(100_000, 7)])],
    ['a head and brackets', Buffer.from(`%PDF-1.4\n1 0 obj\n${'['.repeat(100_000)}`)],
    ['a head and dictionaries', Buffer.from(`%PDF-1.4\n1 0 obj\n${'<</A '.repeat(100_000)}`)],
  ])('gives nothing when it is %s, and does not fail', async (_what, bytes) => {
    expect(await describePdf(bytes)).toEqual({});
  });

  it('that is cut off tells what is left', async () => {
    const facts = await describePdf(aPdf('<< /Title (My Paper) >>', CONTENT).subarray(0, -20));

    expect(facts.excerpt).toContain('On the Matter');
  });

  it('leaves the bytes to their owner', async () => {
    const bytes = aPdf('<< /Title (My Paper) >>', CONTENT);
    const before = Buffer.from(bytes);

    await describePdf(bytes);

    expect(bytes).toEqual(before);
  });
});
