const stream = (text: string): string => `<< /Length ${text.length} >>\nstream\n${text}\nendstream`;

const page = (contents: number): string =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${contents} 0 R /Resources << /Font << /F 4 0 R >> >> >>`;

/** A PDF of pages with these contents; the table of its objects is where its end says. */
export function aPdf(info: string, ...contents: readonly string[]): Buffer {
  const pages = contents.map((_, at) => 5 + 2 * at);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Lang (en-GB) >>',
    `<< /Type /Pages /Kids [${pages.map((at) => `${at} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    info,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...contents.flatMap((content, at) => [page(6 + 2 * at), stream(content)]),
  ];
  let length = '%PDF-1.4\n'.length;
  const offsets: number[] = [];
  const bodies = objects.map((object, at) => {
    const body = `${at + 1} 0 obj\n${object}\nendobj\n`;
    offsets.push(length);
    length += body.length;
    return body;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${rows}trailer << /Size ${count} /Root 1 0 R /Info 3 0 R >>`;
  return Buffer.from(`%PDF-1.4\n${bodies.join('')}${table}\nstartxref\n${length}\n%%EOF`, 'latin1');
}

/** A page's content with five words to a line. */
export const someWords = (lines: number): string =>
  `BT /F 10 Tf 50 750 Td ${'(some words of a line) Tj 0 -12 Td '.repeat(lines)}ET`;

/** A PDF of pages that are all alike. */
export const aLongPdf = (pages: number, content: string): Buffer =>
  aPdf('<< /Title (Long) >>', ...Array.from({ length: pages }, () => content));
