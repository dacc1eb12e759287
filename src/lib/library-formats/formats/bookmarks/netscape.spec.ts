import { readContent, type ReadExport } from '../../../../../test/support/read-export.js';

const DOCTYPE = '<!DOCTYPE NETSCAPE-Bookmark-file-1>';
const META = '<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">';

const readFile = (title: string, body: string): Promise<ReadExport> =>
  readContent(
    `${DOCTYPE}\n${META}\n<TITLE>${title}</TITLE>\n<H1>${title}</H1>\n<DL><p>\n${body}\n</DL><p>`,
  );

describe('bookmarks of linkding', () => {
  const link = (attributes: string) => `<DT><A HREF="https://a.example/" ${attributes}>A</A>\n`;

  it.each(['linkding:archived', 'linkding:bookmarks.archived'])(
    'are archived if they have the tag %s, which is no tag of the user',
    async (tag) => {
      const { items } = await readFile('Bookmarks', link(`TOREAD="1" TAGS="green,${tag}"`));

      expect(items).toEqual([
        { url: 'https://a.example/', title: 'A', tags: ['green'], status: 1 },
      ]);
    },
  );

  it.each([
    ['<DD>[linkding-notes]mine\non two lines[/linkding-notes]', 0],
    ['<DD>of the page[linkding-notes]mine\non two lines[/linkding-notes]', 1],
    ['<DD>[linkding-notes]mine\non two lines', 0],
  ])('have notes, and descriptions are reported: %j', async (description, rows) => {
    const { items, notImported } = await readFile('Bookmarks', `${link('')}${description}\n`);

    expect(items).toMatchObject([{ note: 'mine\non two lines' }]);
    expect(
      notImported.fields.filter(({ name }) => name === '<dd>').map((field) => field.rows),
    ).toEqual(rows === 0 ? [] : [rows]);
  });
});

describe('descriptions of bookmarks', () => {
  it.each([
    ['Pinboard Bookmarks', '<DD><blockquote>my words</blockquote>'],
    ['Pinboard Bookmarks', '</DT>\n<DD>my words</DD>'],
    ['my links - Shaarli', '</DT>\n<DD>my words</DD>'],
    ['Diigo Bookmarks', '<DD>my words'],
  ])('are notes in the file %s', async (title, description) => {
    const { items, notImported } = await readFile(
      title,
      `<DT><A HREF="https://a.example/" ADD_DATE="1700000001">A</A>${description}\n`,
    );

    expect(items).toMatchObject([{ note: 'my words' }]);
    expect(notImported.fields).toEqual([]);
  });

  it('are notes in a file of Nextcloud, which has no heading', async () => {
    const { items } = await readContent(
      `${DOCTYPE}\n${META}\n<TITLE>Bookmarks</TITLE><DT><h3>Green</h3>\n<DL><p>` +
        '<DT><A HREF="https://a.example/" TAGS="x" ADD_DATE="1700000001">A</A>\n<DD>my words</DD>\n</p></DL></p></DL>',
    );

    expect(items).toMatchObject([{ tags: ['x', 'Green'], note: 'my words' }]);
  });

  it('are notes in a file of Delicious', async () => {
    const { items } = await readFile(
      'Bookmarks',
      '<DT><A HREF="https://a.example/" ADD_DATE="1700000001" PRIVATE="0" TAGS="x">A</A>\n<DD>my words',
    );

    expect(items).toMatchObject([{ note: 'my words' }]);
  });

  it('are reported if tools copy them from the page', async () => {
    const { items, notImported } = await readFile(
      'Raindrop.io Bookmarks',
      '<DT><A HREF="https://a.example/" ADD_DATE="1700000001" DATA-COVER="https://a.example/i">A</A>\n<DD>of the page',
    );

    expect(items[0]).not.toHaveProperty('note');
    expect(notImported.fields).toMatchObject([{ kind: 'element', name: '<dd>', rows: 1 }]);
  });

  it('may contain links, which are not bookmarks', async () => {
    const { items } = await readFile(
      'Shaarli',
      '<DT><A HREF="https://a.example/" ADD_DATE="1700000001">A</A>\n<DD>see <a href="https://b.example/">b</a> too\n' +
        '<A HREF="https://c.example/" ADD_DATE="1700000002">C</A>',
    );

    expect(items).toMatchObject([
      { url: 'https://a.example/', note: 'see b too' },
      { url: 'https://c.example/', title: 'C' },
    ]);
  });
});

describe('notes of Shaarli', () => {
  it.each(['/shaare/AbCdEf', '?AbCdEf'])('at %s are refused by title', async (address) => {
    const { items, refusals } = await readFile(
      'Shaarli',
      `<DT><A HREF="${address}" ADD_DATE="1700000003">Note: shopping</A>\n<DD>milk`,
    );

    expect(items).toEqual([]);
    expect(refusals).toMatchObject([
      {
        text: 'Note: shopping',
        reason: 'The entry has no web address of its own: it is a note, not a page.',
      },
    ]);
  });
});

describe('folders of browsers', () => {
  it.each([
    '<H3 FOLDED id="com.apple.ReadingList">Leseliste</H3>',
    '<H3 id="com.apple.ReadingList" FOLDED>Liste de lecture</H3>',
    '<H3 PERSONAL_TOOLBAR_FOLDER="true">Barre</H3>',
    '<H3 UNFILED_BOOKMARKS_FOLDER="true">Andere</H3>',
    '<H3 FOLDED>BookmarksBar</H3>',
  ])('are no tags in any language: %s', async (heading) => {
    const { items } = await readFile(
      'Bookmarks',
      `<DT>${heading}<DL><p><DT><A HREF="https://a.example/">A</A></DL><p>`,
    );

    expect(items).toEqual([{ url: 'https://a.example/', title: 'A' }]);
  });
});

describe('the HTML file of Instapaper', () => {
  const list = (heading: string, ...links: readonly string[]): string =>
    `<h1>${heading}</h1>\n<ol>\n\n${links.map((link) => `<li>${link}\n\n`).join('')}</ol>\n\n`;
  const page = (body: string, title = 'Instapaper: Export'): string =>
    `<!DOCTYPE html>\n<html>\n<head>\n<title>${title}</title>\n</head>\n<body>\n\n${body}</body>\n</html>`;
  const LINK = '<a href="https://a.example/">A</a>';
  const ITEM = { url: 'https://a.example/', title: 'A' };

  it.each([
    ['Unread', { status: 0 }],
    ['Archive', { status: 1 }],
    ['Liked', { favorite: 1 }],
    ['Starred', { favorite: 1 }],
    ['Field guides', { status: 0, tags: ['Field guides'] }],
  ])('has the state of the folder %s', async (heading, state) => {
    const { format, items } = await readContent(page(list(heading, LINK)));

    expect(format).toBe('instapaper-html');
    expect(items).toEqual([{ ...ITEM, ...state }]);
  });

  it('may begin with a long folder of the user', async () => {
    const folder = list('Guides', ...Array<string>(2000).fill(LINK));

    const { format, items } = await readContent(page(`${folder}${list('Archive', LINK)}`));

    expect(format).toBe('instapaper-html');
    expect(items).toHaveLength(2001);
    expect(items.at(-1)).toEqual({ ...ITEM, status: 1 });
  });

  it('is recognised without its title', async () => {
    const { format } = await readContent(page(list('Archive', LINK), 'My pages'));

    expect(format).toBe('instapaper-html');
  });

  it('has the text after a link as a highlight', async () => {
    const { items } = await readContent(page(list('Unread', `${LINK}: They want no sun`)));

    expect(items).toMatchObject([{ annotations: [{ quote: 'They want no sun' }] }]);
  });

  it('is not a file of Pocket, which has the same headings', async () => {
    const { format } = await readContent(
      '<html><body><h1>Unread</h1><ul><li><a href="https://a.example/" time_added="1200000000">A</a></ul>',
    );

    expect(format).toBe('pocket-html');
  });
});
