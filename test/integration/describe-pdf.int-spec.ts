import iconv from 'iconv-lite';

import { describePdf, describePdfHead } from '../../src/lib/extraction/documents/pdf.js';
import { aCjkPdf, aLongPdf, aPdf, someWords } from '../support/a-pdf.js';

const CONTENT =
  'BT /F 10 Tf 50 750 Td (A journal) Tj 0 -30 Td /F 24 Tf (On the Matter) Tj 0 -30 Td (of Matter) Tj ' +
  '0 -30 Td /F 10 Tf (It matters.) Tj ET';

describe('a PDF', () => {
  it('has a title, an author, a language and an excerpt', async () => {
    const { facts } = await describePdf(
      aPdf('<< /Title (My Paper) /Author (A. Writer) >>', CONTENT),
    );

    expect(facts).toEqual({
      title: 'My Paper',
      author: 'A. Writer',
      language: 'en-GB',
      excerpt: 'A journal On the Matter of Matter It matters.',
      wordCount: 9,
    });
  });

  it.each(['', '/Title ()', '/Title (Microsoft Word - a.doc)', '/Title (paper.dvi)', '/Title 7'])(
    'gets its largest words as its title if it has no useful title: %s',
    async (title) => {
      const { facts } = await describePdf(aPdf(`<< ${title} >>`, CONTENT));

      expect(facts.title).toBe('On the Matter of Matter');
    },
  );

  it('has the word count of all pages and an excerpt of the first page', async () => {
    const pages = ['(The first page of it)', '(The second)', '[(and the th) 20 (ird)]'].map(
      (words) => `BT /F 10 Tf 50 750 Td ${words} ${words.startsWith('[') ? 'TJ' : 'Tj'} ET`,
    );

    const { facts } = await describePdf(aPdf('<< /Title (My Paper) >>', ...pages));

    expect(facts).toMatchObject({ excerpt: 'The first page of it', wordCount: 10 });
  });

  it('with an unreadable page keeps the words of the pages before it', async () => {
    const bytes = aPdf('<< >>', CONTENT, CONTENT, CONTENT).toString('latin1');

    const { facts } = await describePdf(
      Buffer.from(bytes.replace('/Kids [5 0 R 7 0 R', '/Kids [5 0 R 99 0 R'), 'latin1'),
    );

    expect(facts.wordCount).toBe(9);
  });

  it('has only facts from its metadata in describePdfHead', async () => {
    const { facts } = await describePdfHead(aPdf('<< /Title (My Paper) >>', CONTENT));

    expect(facts).toEqual({ title: 'My Paper', language: 'en-GB' });
  });

  it('may have a Unicode title', async () => {
    const { facts } = await describePdf(aPdf('<< /Title <FEFF04200443> >>', CONTENT));

    expect(facts.title).toBe('Ру');
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['no PDF', Buffer.from('hello')],
    ['its beginning', aPdf('<< /Title (My Paper) >>', CONTENT).subarray(0, 200)],
    ['a head and noise', Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(100_000, 7)])],
    ['a head and brackets', Buffer.from(`%PDF-1.4\n1 0 obj\n${'['.repeat(100_000)}`)],
    ['a head and dictionaries', Buffer.from(`%PDF-1.4\n1 0 obj\n${'<</A '.repeat(100_000)}`)],
  ])('has no facts if it is %s', async (_what, bytes) => {
    expect(await describePdf(bytes)).toEqual({ facts: {} });
  });

  it('that is truncated keeps the rest of its text', async () => {
    const { facts } = await describePdf(aPdf('<< /Title (My Paper) >>', CONTENT).subarray(0, -20));

    expect(facts.excerpt).toContain('On the Matter');
  });

  it('is not modified by describePdf', async () => {
    const bytes = aPdf('<< /Title (My Paper) >>', CONTENT);
    const before = Buffer.from(bytes);

    await describePdf(bytes);

    expect(bytes).toEqual(before);
  });
});

describe('the text of a PDF', () => {
  it('has headings and paragraphs, with broken lines and words joined', async () => {
    const column = [
      '(Ships come with the tide, and they leave with the har-) Tj 0 -12 Td',
      '(bour pilot at their wheel, as they always did before.) Tj 0 -12 Td',
      '(They wait outside <of it> & sleep.) Tj 0 -30 Td',
      '(Another day begins, and another ship comes with it too) Tj 0 -12 Td',
    ].join(' ');
    const { article } = await describePdf(
      aPdf('<< >>', `BT /F 20 Tf 50 750 Td (Tides) Tj 0 -30 Td /F 10 Tf ${column} ET`),
    );

    expect(article).toBe(
      '<h2>Tides</h2><p>Ships come with the tide, and they leave with the harbour pilot at their wheel, as they ' +
        'always did before. They wait outside &lt;of it&gt; &amp; sleep.</p>' +
        '<p>Another day begins, and another ship comes with it too</p>',
    );
  });

  it('continues across pages, without page headers and page numbers', async () => {
    const pages = ['(Ships come with the tide and) Tj', '(leave with it.) Tj'].map(
      (words, at) =>
        `BT /F 10 Tf 50 780 Td (The Harbour, ${at + 1}) Tj 0 -40 Td ${words} 0 -700 Td (${at + 1}) Tj ET`,
    );

    const { article } = await describePdf(aPdf('<< >>', ...pages));

    expect(article).toBe('<p>Ships come with the tide and leave with it.</p>');
  });

  it('keeps a title that two slides share, and drops a line that all slides share', async () => {
    const slides = ['Tides', 'Tides', 'Ships', 'Ropes'].map(
      (title) =>
        `BT /F 20 Tf 50 780 Td (${title}) Tj /F 10 Tf 0 -90 Td ${'(Some words of this slide.) Tj 0 -12 Td '.repeat(4)} /F 16 Tf 0 -90 Td (A deck of slides) Tj ET`,
    );

    const { article } = await describePdf(aPdf('<< >>', ...slides));

    expect(article?.match(/Tides/gu)).toHaveLength(2);
    expect(article).not.toContain('deck');
  });

  it('is missing if no page contains text', async () => {
    expect(await describePdf(aPdf('<< >>', '0 0 m 1 1 l'))).not.toHaveProperty('article');
  });

  it('is read in parts, each of which starts where the previous part ended', async () => {
    const bytes = aLongPdf(5, someWords(3));
    const words: unknown[] = [];
    let fromPage: number | undefined;
    do {
      const { facts, nextPage } = await describePdf(bytes, { fromPage, readMs: 0 });
      words.push(facts.wordCount);
      fromPage = nextPage;
    } while (fromPage !== undefined);

    expect(words).toEqual([15, 15, 15, 15, 15]);
  });
});

describe('a PDF with CJK fonts that are not embedded', () => {
  const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
  const coded =
    (encoding: string) =>
    (text: string): Buffer =>
      iconv.encode(text, encoding);

  it.each<[string, string, (text: string) => Buffer, string]>([
    ['90ms-RKSJ-H', 'Japan1', coded('shift_jis'), '潮の満ち引きと港'],
    ['90ms-RKSJ-V', 'Japan1', coded('shift_jis'), '船は潮とともに来る。'],
    ['EUC-H', 'Japan1', coded('euc-jp'), '潮の満ち引きと港'],
    ['UniJIS-UCS2-H', 'Japan1', utf16, '潮の満ち引きと港'],
    ['UniJIS-UTF16-V', 'Japan1', utf16, '船は潮とともに来る。'],
    ['GBK-EUC-H', 'GB1', coded('gbk'), '港口的潮汐'],
    ['UniGB-UCS2-H', 'GB1', utf16, '港口的潮汐'],
    ['ETen-B5-H', 'CNS1', coded('big5'), '港口的潮汐與船'],
    ['KSCms-UHC-H', 'Korea1', coded('cp949'), '항구의 조수'],
    ['UniKS-UCS2-H', 'Korea1', utf16, '항구의 조수'],
  ])('has its text in the encoding %s', async (cmap, collection, encode, text) => {
    const { facts, article } = await describePdf(aCjkPdf({ cmap, collection }, encode(text)));

    expect(facts.excerpt).toBe(text);
    expect(article).toBe(`<p>${text}</p>`);
  });

  it('has lines joined without spaces, and a detected language', async () => {
    const sentence = [
      '潮の満ち引きは月が起こ',
      'すものであり、船はそれ',
      'とともに港へ入ってくる。',
    ];
    const lines = Array.from({ length: 10 }, () => sentence).flat();
    const { facts, article } = await describePdf(
      aCjkPdf({ cmap: '90ms-RKSJ-V', collection: 'Japan1' }, ...lines.map(coded('shift_jis'))),
    );

    expect(article).toBe(`<p>${lines.join('')}</p>`);
    expect(facts.language).toBe('ja');
    expect(facts.wordCount).toBeGreaterThan(10);
  });

  it('in an unknown encoding has a title but no text', async () => {
    const pdf = aCjkPdf({ cmap: 'Nobody-H', collection: 'Japan1' }, Buffer.from('abcd'));
    const titled = pdf.toString('latin1').replace('<< >>', '<< /Title (Tides) >>');

    expect(await describePdf(Buffer.from(titled, 'latin1'))).toEqual({
      facts: { title: 'Tides', wordCount: 0 },
    });
  });
});
