import iconv from 'iconv-lite';

import { processorSeconds } from '../../../test/support/processor-time.js';
import { decodeText } from './charset.js';

const RUSSIAN =
  'Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему. ';
const FRENCH =
  'Longtemps, je me suis couché de bonne heure. Parfois, à peine ma bougie éteinte… «été» ';
const JAPANESE = '吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。';
const CHINESE = '话说天下大势，分久必合，合久必分。周末七国分争，并入于秦。';
const TAIWANESE = '話說天下大勢，分久必合，合久必分。周末七國分爭，并入於秦。';
const KOREAN =
  '죽는 날까지 하늘을 우러러 한 점 부끄럼이 없기를, 잎새에 이는 바람에도 나는 괴로워했다.';

const page = (text: string, head = ''): string =>
  `<!doctype html><html><head>${head}<title>x</title><script>var a = "${'abc '.repeat(200)}";</script></head>` +
  `<body>${`<p class="text">${text}</p>`.repeat(20)}</body></html>`;

const encoded = (text: string, encoding: string): Uint8Array => iconv.encode(text, encoding);

describe('the charset of a document', () => {
  it.each([
    ['utf-8', 'UTF-8'],
    ['utf-16le', 'UTF-16LE'],
    ['utf-16be', 'UTF-16BE'],
  ])('is told by a byte order mark: %s', (encoding, name) => {
    const bytes = iconv.encode(page(RUSSIAN), encoding, { addBOM: true });

    expect(decodeText(bytes, 'text/html; charset=koi8-r')).toEqual({
      text: page(RUSSIAN),
      encoding: name,
    });
  });

  it.each(['utf-16le', 'utf-16be'])('is told by zeros without a mark: %s', (encoding) => {
    const { text } = decodeText(encoded(page(RUSSIAN), encoding), 'text/html');

    expect(text).toBe(page(RUSSIAN));
  });

  it.each(['iso-8859-1', 'utf-7', 'base64', 'hex', 'utf-16', 'no-such-thing', ''])(
    'is UTF-8 for valid UTF-8, whatever the label: %s',
    (label) => {
      const bytes = encoded(page(RUSSIAN, `<meta charset="${label}">`), 'utf8');

      const { text, encoding } = decodeText(bytes, `text/html; charset=${label}`);

      expect(encoding).toBe('UTF-8');
      expect(text).toContain(RUSSIAN);
    },
  );

  it.each([
    ['text/html; charset=windows-1251', 'windows-1251', RUSSIAN, 'WINDOWS-1251'],
    ['text/html;charset="koi8-r"', 'koi8-r', RUSSIAN, 'KOI8-R'],
    ['text/html; Charset=ISO-8859-1', 'windows-1252', FRENCH, 'ISO-8859-1'],
    ['text/html; charset=Shift_JIS', 'shift_jis', JAPANESE, 'SHIFT_JIS'],
    ['text/html; charset=gb2312', 'gb18030', CHINESE, 'GB2312'],
    ['text/html; charset=big5', 'big5', TAIWANESE, 'BIG5'],
    ['text/html; charset=euc-kr', 'cp949', KOREAN, 'EUC-KR'],
  ])('is told by the header: %s', (contentType, encoding, text, name) => {
    const decoded = decodeText(encoded(page(text), encoding), contentType);

    expect(decoded).toEqual({ text: page(text), encoding: name });
  });

  it.each([
    '<meta charset=windows-1251>',
    '<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=windows-1251">',
    `<!-- ${'x'.repeat(9000)} --><meta charset = "windows-1251">`,
    '<meta http-equiv=content-type content="text/html; charset"><meta charset="windows-1251">',
  ])('is told by an element: %.60s', (meta) => {
    const decoded = decodeText(encoded(page(RUSSIAN, meta), 'windows-1251'), 'text/html');

    expect(decoded).toEqual({ text: page(RUSSIAN, meta), encoding: 'WINDOWS-1251' });
  });

  it('is told by the XML declaration', () => {
    const xml = `<?xml version="1.0" encoding="windows-1251"?><rss>${RUSSIAN}</rss>`;

    expect(decodeText(encoded(xml, 'windows-1251')).text).toBe(xml);
  });

  it('is ISO-2022-JP where that is said and escapes are seen', () => {
    const bytes = Buffer.from('<p>\x1b$B8cGZ$OG-$G$"$k\x1b(B</p>', 'latin1');

    expect(decodeText(bytes, 'text/html; charset=iso-2022-jp').text).toBe('<p>吾輩は猫である</p>');
  });

  it.each([
    ['windows-1251', RUSSIAN],
    ['koi8-r', RUSSIAN],
    ['windows-1252', FRENCH],
    ['shift_jis', JAPANESE],
    ['euc-jp', JAPANESE],
    ['gb18030', CHINESE],
    ['big5', TAIWANESE],
    ['cp949', KOREAN],
  ])('is guessed from the words: %s', (encoding, text) => {
    expect(decodeText(encoded(page(text), encoding), 'text/html').text).toBe(page(text));
  });

  it('is UTF-8 for UTF-8 with a few errors', () => {
    const bytes = Buffer.concat([encoded(page(RUSSIAN), 'utf8'), Buffer.from([0xff, 0xe9, 0x20])]);

    const { text, encoding } = decodeText(bytes, 'text/html; charset=utf-8');

    expect(encoding).toBe('UTF-8');
    expect(text.startsWith(page(RUSSIAN))).toBe(true);
  });

  it('is not UTF-8 for what is said to be, and is not', () => {
    const { text } = decodeText(encoded(page(RUSSIAN), 'windows-1251'), 'text/html; charset=utf-8');

    expect(text).toBe(page(RUSSIAN));
  });

  it('is windows-1252 when nothing tells, with its quotes and its euro', () => {
    const bytes = Buffer.from([0x93, 0x80, 0x94]);

    expect(decodeText(bytes)).toEqual({ text: '“€”', encoding: 'WINDOWS-1252' });
  });

  it('keeps UTF-8 whose last character is cut off', () => {
    const bytes = encoded('été é', 'utf8').subarray(0, -1);

    expect(decodeText(bytes).encoding).toBe('UTF-8');
  });
});

describe('the text of a document', () => {
  it.each([
    ['NULs', Buffer.from('a\0b\0\0c'), 'abc'],
    [
      'a lone surrogate in UTF-16',
      Buffer.from([0xff, 0xfe, 0x61, 0, 0, 0xd8, 0x62, 0]),
      'a\ufffdb',
    ],
    ['a lone surrogate in UTF-8', Buffer.from([0x61, 0xed, 0xa0, 0x80]), 'a'],
    ['nothing', Buffer.alloc(0), ''],
  ])('is well-formed and has no NUL: %s', (_what, bytes, text) => {
    const decoded = decodeText(bytes, 'text/html; charset=utf-8').text;

    expect(decoded.isWellFormed() && !decoded.includes('\0')).toBe(true);
    expect(decoded.startsWith(text)).toBe(true);
  });

  it.each([
    ['<script '.repeat(600_000)],
    ['<meta '.repeat(800_000)],
    ['<'.repeat(5_000_000)],
    ['<meta charset'.repeat(400_000)],
    ['\xe9'.repeat(5_000_000)],
  ])('takes no long time to read: %.20s', async (text) => {
    const bytes = Buffer.from(`${text}\xff\xe9\xff\xe9\xff\xe9\xff`, 'latin1');

    expect(await processorSeconds(() => decodeText(bytes))).toBeLessThan(5);
  });
});
