import { describePdf } from './describe-pdf.js';

const stream = (text: string): string => `<< /Length ${text.length} >>\nstream\n${text}\nendstream`;

/** A document of one page; the table of its objects is where its end says. */
function pdf(info: string, content: string): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Lang (en-GB) >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    stream(content),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    info,
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const table = `xref\n0 7\n0000000000 65535 f \n${rows}trailer << /Size 7 /Root 1 0 R /Info 6 0 R >>`;
  return Buffer.from(`${text}${table}\nstartxref\n${text.length}\n%%EOF`, 'latin1');
}

const CONTENT =
  'BT /F 10 Tf 50 750 Td (A journal) Tj 0 -30 Td /F 24 Tf (On the Matter) Tj 0 -30 Td (of Matter) Tj ' +
  '0 -30 Td /F 10 Tf (It matters.) Tj ET';

describe('a PDF', () => {
  it('tells its title, author and language, and how it begins', async () => {
    const facts = await describePdf(pdf('<< /Title (My Paper) /Author (A. Writer) >>', CONTENT));

    expect(facts).toEqual({
      title: 'My Paper',
      author: 'A. Writer',
      language: 'en-GB',
      excerpt: 'A journal On the Matter of Matter It matters.',
    });
  });

  it.each(['', '/Title ()', '/Title (Microsoft Word - a.doc)', '/Title (paper.dvi)', '/Title 7'])(
    'is named by its largest words when its title is none: %s',
    async (title) => {
      const facts = await describePdf(pdf(`<< ${title} >>`, CONTENT));

      expect(facts.title).toBe('On the Matter of Matter');
    },
  );

  it('reads titles in Unicode', async () => {
    const facts = await describePdf(pdf('<< /Title <FEFF04200443> >>', CONTENT));

    expect(facts.title).toBe('Ру');
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['no PDF', Buffer.from('hello')],
    ['its beginning', pdf('<< /Title (My Paper) >>', CONTENT).subarray(0, 200)],
    ['a head and noise', Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(100_000, 7)])],
    ['a head and brackets', Buffer.from(`%PDF-1.4\n1 0 obj\n${'['.repeat(100_000)}`)],
    ['a head and dictionaries', Buffer.from(`%PDF-1.4\n1 0 obj\n${'<</A '.repeat(100_000)}`)],
  ])('tells nothing when it is %s, and fails nobody', async (_what, bytes) => {
    expect(await describePdf(bytes)).toEqual({});
  });

  it('that is cut off tells what is left', async () => {
    const facts = await describePdf(pdf('<< /Title (My Paper) >>', CONTENT).subarray(0, -20));

    expect(facts.excerpt).toContain('On the Matter');
  });

  it('leaves the bytes to their owner', async () => {
    const bytes = pdf('<< /Title (My Paper) >>', CONTENT);
    const before = Buffer.from(bytes);

    await describePdf(bytes);

    expect(bytes).toEqual(before);
  });
});
