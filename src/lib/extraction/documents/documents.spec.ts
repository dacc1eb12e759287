import { processorSeconds } from '../../../../test/support/processor-time.js';
import { fileTitle } from './document-facts.js';
import { describeFeed } from './feed.js';
import { describeImage, describeText } from './text-and-image.js';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const png = (width: number, height: number): Buffer => {
  const bytes = hex('89504e470d0a1a0a 0000000d 49484452 00000000 00000000 0806000000 00000000');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
};
const exif = (orientation: string): string =>
  `ffe1 0022 457869660000 4d4d002a00000008 0001 0112 0003 00000001 ${orientation}0000 00000000`;
const jpeg = (extra = ''): Buffer =>
  hex(`ffd8 ${extra} ffdb 0004 0000 ffc0 0011 08 0064 00c8 03 012200021101031101 ffd9`);

describe('a picture', () => {
  it.each([
    ['PNG', png(640, 480), { width: 640, height: 480 }],
    ['GIF', hex('474946383961 4001 f000 80 00 00'), { width: 320, height: 240 }],
    ['JPEG', jpeg(), { width: 200, height: 100 }],
    ['JPEG on its side', jpeg(exif('0006')), { width: 100, height: 200 }],
    [
      'SVG',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20"></svg>'),
      { width: 30, height: 20 },
    ],
    ['nothing', Buffer.alloc(0), {}],
    ['half a PNG', png(1, 1).subarray(0, 18), {}],
    ['half a JPEG', jpeg().subarray(0, 6), {}],
    ['a PNG without pixels', png(0, 0), {}],
    ['a PNG of a planet', png(4_000_000_000, 4_000_000_000), {}],
    ['text', Buffer.from('hello'), {}],
  ])('has its size: %s', (_what, bytes, size) => {
    expect(describeImage(bytes)).toEqual(size);
  });

  it('is given up quickly whatever it is', async () => {
    const starts = ['ffd8ffe1', '52494646', '474946', '0000000c', '89504e47', '424d', '00000100'];

    const seconds = await processorSeconds(() => {
      for (const magic of starts) {
        for (const filler of [0x00, 0x01, 0xff, 0x41]) {
          const bytes = Buffer.alloc(262_144, filler);
          hex(magic).copy(bytes);
          describeImage(bytes);
        }
      }
      describeImage(Buffer.from('<svg '.repeat(50_000)));
      describeImage(Buffer.from(`<svg ${'viewBox="'.repeat(25_000)}`));
    });

    expect(seconds).toBeLessThan(5);
  });
});

describe('a plain text', () => {
  it.each([
    ['# Title #\n\nSome  text\nmore', { title: 'Title', excerpt: 'Some text more', wordCount: 4 }],
    ['\n\n=====\nTitle\r\n=====\r\nText', { title: 'Title', excerpt: '===== Text', wordCount: 2 }],
    ['One line only', { excerpt: 'One line only', wordCount: 3 }],
    [`${'long '.repeat(40)}\nText`, { excerpt: `${'long '.repeat(40)}Text`, wordCount: 41 }],
    ['', { wordCount: 0 }],
    ['---\n***', { excerpt: '--- ***', wordCount: 0 }],
  ])('tells what it can: %j', (text, facts) => {
    expect(describeText(text)).toEqual(facts);
  });

  it('has the words of all of it, and its language', () => {
    const text = 'It is a text of the harbour and the tides that are in it.\n'.repeat(100_000);

    const { wordCount, language } = describeText(text);

    expect(wordCount).toBeGreaterThan(1_399_000);
    expect(wordCount).toBeLessThan(1_401_000);
    expect(language).toBe('en');
  });
});

describe('a feed', () => {
  const ITEM = '<item><title>Entry</title><description>of it</description></item>';
  it.each([
    [
      'RSS',
      `<?xml version="1.0"?><rss><channel><image><title>Logo</title></image><title>My &amp; <![CDATA[<b>Feed</b>]]></title>` +
        `<language>en-us</language>${ITEM}<description>About</description></channel></rss>`,
      { title: 'My & Feed', excerpt: 'About', language: 'en-us', wordCount: 3 },
    ],
    [
      'Atom',
      '<feed xml:lang="de"><title type="html">A &lt;i&gt;feed</title><subtitle>Sub</subtitle><entry><title>E</title></entry></feed>',
      { title: 'A feed', excerpt: 'Sub', language: 'de', wordCount: 1 },
    ],
    [
      'RDF',
      `<rdf:RDF><channel><title>R</title></channel>${ITEM}</rdf:RDF>`,
      { title: 'R', wordCount: 3 },
    ],
    [
      'JSON',
      '{"version":"https://jsonfeed.org/version/1.1","title":"J","description":"D","language":"fr","items":[{"title":"x"}]}',
      { title: 'J', excerpt: 'D', language: 'fr', wordCount: 1 },
    ],
    ['broken JSON', '{"title":', { wordCount: 0 }],
    ['no feed', 'hello', { wordCount: 0 }],
    [
      'laughs',
      '<!DOCTYPE rss [<!ENTITY a "haha">]><rss><channel><title>&a;</title>',
      { title: '&a;', wordCount: 0 },
    ],
  ])('tells of itself, and how many words its entries have: %s', (_what, text, facts) => {
    expect(describeFeed(text)).toEqual(facts);
  });

  it.each([
    [
      'the text instead of its summary',
      '<rss xmlns:content="x"><channel><item><title>One</title><description>Two three</description>' +
        '<content:encoded><![CDATA[<p>Don&#8217;t</p><p>stop&nbsp;now</p><script>a b c</script>]]></content:encoded></item></channel></rss>',
      4,
    ],
    [
      'markup that is not escaped',
      '<feed><entry><title>One</title><summary>s u m</summary><content type="xhtml"><div><p>two</p><p>three</p></div></content></entry></feed>',
      3,
    ],
    [
      'escaped markup, and what is none',
      '{"items":[{"content_html":"<p>one</p>two"},{"content_text":"three four"},{"summary":"five"},7,null]}',
      5,
    ],
  ])('counts %s', (_what, text, words) => {
    expect(describeFeed(text).wordCount).toBe(words);
  });

  it.each([
    `<rss>${'<item><title>a</title></item>'.repeat(300_000)}`,
    `<rss><item><description>${'&lt;b&gt;'.repeat(600_000)}`,
    `{"items":[${'{},'.repeat(1_000_000)}0]}`,
    '<a>'.repeat(1_000_000),
    `<rss><channel><title>${'x'.repeat(10_000_000)}`,
    `<rss><channel><title>${'<'.repeat(5_000_000)}`,
    '[{"a":'.repeat(500_000),
    `{"a":${'['.repeat(5_000_000)}`,
  ])('takes no long time: %.30s', async (text) => {
    expect(await processorSeconds(() => describeFeed(text))).toBeLessThan(10);
  });
});

describe('the name of a file', () => {
  it.each([
    ['http://a.example/x/My%20Report.pdf?a=b#c', 'My Report.pdf'],
    ['http://a.example/%E4%F6.jpg', '%E4%F6.jpg'],
    ['http://a.example/a%00%0ab.jpg', 'a b.jpg'],
    ['http://a.example/', undefined],
  ])('is at the end of its address: %s', (url, title) => {
    expect(fileTitle(url)).toBe(title);
  });
});
