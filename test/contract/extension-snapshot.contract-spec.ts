/** The module `extension/lib/snapshot/styles.js`. */
interface Styles {
  inlinedStyles: (
    css: string,
    base: string,
    loader: {
      readonly data: (url: string) => Promise<string | undefined>;
      readonly sheet: (url: string) => Promise<string | undefined>;
    },
  ) => Promise<string>;
}

/** The module `extension/lib/snapshot/loading.js`. */
interface Loading {
  loaderFor: (tabId: number) => (url: string) => Promise<{ data?: string; text?: string }>;
}

const { inlinedStyles } = jest.requireActual<Styles>('../../extension/lib/snapshot/styles.js');
const { loaderFor } = jest.requireActual<Loading>('../../extension/lib/snapshot/loading.js');

const BASE = 'https://example.com/styles/a.css';
const SHEETS: Readonly<Record<string, string>> = {
  'https://example.com/styles/b.css': 'b { background: url(b.png) }',
  'https://example.com/c/c.css': '@import "d.css"; c { background: url(../c.png) }',
  'https://example.com/c/d.css': 'd {}',
  'https://example.com/styles/loop.css': '@import "loop.css"; loop {}',
};

const inlined = (css: string): Promise<string> =>
  inlinedStyles(css, BASE, {
    data: (url) => Promise.resolve(url.includes('missing') ? undefined : `data:,${url}`),
    sheet: (url) => Promise.resolve(SHEETS[url]),
  });

describe('the styles of a snapshot', () => {
  it.each([
    [
      'a { background: url(x.png) }',
      'a { background: url("data:,https://example.com/styles/x.png") }',
    ],
    [`a { src: URL( '/x).png' ) }`, 'a { src: url("data:,https://example.com/x).png") }'],
    ['a { background: url(missing.png) }', 'a { background: url() }'],
    ['a { background: url(data:,x) }', 'a { background: url(data:,x) }'],
    ['a { fill: url(#x) }', 'a { fill: url(#x) }'],
    ['a { content: "url(x.png) /* x */" }', 'a { content: "url(x.png) /* x */" }'],
    ['a { } /* url(x.png) @import "b.css"; */ b { }', 'a { }  b { }'],
    ['@import "b.css";', 'b { background: url("data:,https://example.com/styles/b.png") }'],
    ['@import url(../c/c.css);', 'd {} c { background: url("data:,https://example.com/c.png") }'],
    ['@import "missing.css"; a {}', ' a {}'],
    [
      '@import url("../c/d.css") layer(x) supports(display: grid) screen and (width > 1px);',
      '@layer x {@supports (display: grid) {@media screen and (width > 1px) {d {}}}}',
    ],
  ])('contain everything that they load: %s', async (css, expected) => {
    expect(await inlined(css)).toBe(expected);
  });

  it('end at five levels of imports', async () => {
    expect(await inlined('@import "loop.css";')).toBe(' loop {}'.repeat(5));
  });
});

/** The part of a browser's FileReader that the extension uses. */
class FakeFileReader {
  result = '';
  onload: () => void = () => undefined;

  readAsDataURL({ type }: Blob): void {
    this.result = `data:${type},`;
    this.onload();
  }
}

describe('the files of a snapshot', () => {
  const fetched = jest.fn<Promise<Response>, [string, RequestInit]>();
  const inPage = jest.fn<Promise<unknown>, []>();

  beforeEach(() => {
    fetched
      .mockReset()
      .mockImplementation(() =>
        Promise.resolve(new Response('a {}', { headers: { 'Content-Type': 'text/css' } })),
      );
    inPage.mockReset().mockResolvedValue([{ result: {} }]);
    const chrome = { scripting: { executeScript: inPage } };
    Object.assign(globalThis, { chrome, FileReader: FakeFileReader });
    jest
      .spyOn(globalThis, 'fetch')
      .mockImplementation((url, init) => fetched(url as string, init!));
  });
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'chrome');
    Reflect.deleteProperty(globalThis, 'FileReader');
  });

  it('are loaded by the page, or else by the extension without cookies', async () => {
    inPage.mockResolvedValueOnce([{ result: { text: 'b {}' } }]);
    const load = loaderFor(1);

    expect(await load('https://example.com/b.css')).toEqual({ text: 'b {}' });
    expect(fetched).not.toHaveBeenCalled();
    expect(await load('https://example.com/a.css')).toEqual({ text: 'a {}' });
    expect(fetched.mock.calls[0]?.[1].credentials).toBe('omit');
  });

  it('are loaded after the page has closed', async () => {
    inPage.mockRejectedValue(new Error('No tab with id'));

    expect(await loaderFor(1)('https://example.com/a.css')).toEqual({ text: 'a {}' });
  });

  it('are loaded once for each address', async () => {
    const load = loaderFor(1);

    await Promise.all([load('https://example.com/a.css'), load('https://example.com/a.css')]);

    expect(fetched).toHaveBeenCalledTimes(1);
  });

  it.each(['file:///etc/passwd', 'javascript:1', 'chrome://settings', ''])(
    'are not loaded from %s',
    async (url) => {
      expect(await loaderFor(1)(url)).toEqual({});
      expect(inPage).not.toHaveBeenCalled();
    },
  );

  it.each([
    ['https://example.com/a.gif', 'image/gif'],
    ['https://example.com/a.woff2?v=1', 'application/octet-stream'],
  ])('are data if they are pictures or fonts: %s', async (url, type) => {
    fetched.mockResolvedValue(new Response('x', { headers: { 'Content-Type': type } }));

    expect(await loaderFor(1)(url)).toEqual({ data: `data:${type},` });
  });

  it.each([
    ['an error', new Response('a {}', { status: 404, headers: { 'Content-Type': 'text/css' } })],
    ['a page', new Response('<p>', { headers: { 'Content-Type': 'text/html' } })],
    [
      'a file that is too large',
      new Response('x'.repeat(2_000_001), { headers: { 'Content-Type': 'text/css' } }),
    ],
  ])('are left out for %s', async (_, response) => {
    fetched.mockResolvedValue(response);

    expect(await loaderFor(1)('https://example.com/a')).toEqual({});
  });
});
