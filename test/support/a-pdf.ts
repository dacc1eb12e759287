const stream = (text: string): string => `<< /Length ${text.length} >>\nstream\n${text}\nendstream`;

const page = (contents: number): string =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${contents} 0 R /Resources << /Font << /F 4 0 R >> >> >>`;

/** Returns a PDF with one page per content. Its end points to its cross-reference table. */
export function aPdf(info: string, ...contents: readonly string[]): Buffer {
  const pages = contents.map((_, at) => 5 + 2 * at);
  return fileOf([
    '<< /Type /Catalog /Pages 2 0 R /Lang (en-GB) >>',
    `<< /Type /Pages /Kids [${pages.map((at) => `${at} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    info,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...contents.flatMap((content, at) => [page(6 + 2 * at), stream(content)]),
  ]);
}

/** Text encoding of a PDF without embedded fonts. The reader must know the predefined CMap. */
export interface CjkFont {
  readonly cmap: string;
  /** Adobe character collection: Japan1, GB1, CNS1 or Korea1. */
  readonly collection: string;
}

/** Returns a one-page PDF. Its lines are character codes of its font, and no table maps them to Unicode. */
export function aCjkPdf({ cmap, collection }: CjkFont, ...lines: readonly Buffer[]): Buffer {
  const isVertical = cmap.endsWith('V');
  const shown = lines.map(
    (line) => `<${line.toString('hex')}> Tj ${isVertical ? '-15 0' : '0 -15'} Td`,
  );
  const descriptor = `<< /Type /FontDescriptor /FontName /Any /Flags 4 /Ascent 880 /Descent -120 /CapHeight 700 /StemV 80 /ItalicAngle 0 /FontBBox [0 -120 1000 880] >>`;
  const system = `<< /Registry (Adobe) /Ordering (${collection}) /Supplement 2 >>`;
  return fileOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [5 0 R] /Count 1 >>',
    '<< >>',
    `<< /Type /Font /Subtype /Type0 /BaseFont /Any /Encoding /${cmap} /DescendantFonts [7 0 R] >>`,
    page(6),
    stream(`BT /F 10 Tf 500 750 Td ${shown.join(' ')} ET`),
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Any /CIDSystemInfo ${system} /DW 1000 /FontDescriptor ${descriptor} >>`,
  ]);
}

/** Writes the objects. The first object must be the catalog, the third the document information. */
function fileOf(objects: readonly string[]): Buffer {
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

/** Returns the content of a page with five words per line. */
export const someWords = (lines: number): string =>
  `BT /F 10 Tf 50 750 Td ${'(some words of a line) Tj 0 -12 Td '.repeat(lines)}ET`;

/** Returns a PDF of identical pages. */
export const aLongPdf = (pages: number, content: string): Buffer =>
  aPdf('<< /Title (Long) >>', ...Array.from({ length: pages }, () => content));
