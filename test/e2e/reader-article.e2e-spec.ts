import { aVisitor } from '../support/oauth-api.js';
import { timePasses } from '../support/page-times.js';
import { formIn, headingOf, type PageVisitor, shownText } from '../support/page-visitor.js';
import { PictureSite } from '../support/picture-site.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const HOSTILE = `<div><h1 id="end" class="x">One &amp; only</h1><h4>Deep</h4>
  <p id="reading" style="color:red" onclick="x()">First <b>bold &lt;script&gt;</b> words, and more.</p>
  <p><a href="https://example.com/?a=1&amp;b=2" id="x" name="csrf" target="_blank">A link</a>
  <a href="javascript:alert(1)">bad</a> and <mark>marked</mark>.</p>
  <iframe src="https://www.youtube.com/embed/1" title="A film"></iframe>
  <p>Twice said. Then other words. Twice said.</p>
  <img src="/photo.jpg"><img src="https://elsewhere.example/spy.png"><form action="/x"><input name="y"></form></div>`;

let site: PictureSite;
let app: TestApp;
let api: ReadingListApi;
let visitor: PageVisitor;

beforeAll(async () => {
  site = await PictureSite.served();
  app = await aTestApp({
    config: {
      ...{ resolverConcurrency: 2, resolveWaitMs: 60_000 },
      resolverAllows: { addresses: ['127.0.0.1'], ports: [site.port] },
    },
  });
});
afterAll(async () => {
  await app.close();
  await site.stop();
});
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  visitor = await aVisitor(app, api.user);
});

/** Saves a page and waits for its article. Then replaces the article if `html` is given. */
async function anArticle(html?: string, name = 'garden-path'): Promise<string> {
  const url = site.article(`${name}-${api.user.id}`, '/photo.jpg');
  const id = await api.saved(url);
  await visitor.open(`/read/${id}`).expect(200);
  if (html !== undefined) {
    const { compressedText } = await import('../../src/lib/util/compressed-text.js');
    const stored = await compressedText(html.replace('"/photo.jpg"', `"${site.url}/photo.jpg"`));
    await app.database.query(
      `UPDATE pages SET article = decode('${stored.toString('hex')}', 'hex') WHERE url = '${url}'`,
    );
  }
  return id;
}

const post = async (path: string, fields: Record<string, string>) =>
  visitor.post(path, { _csrf: await visitor.csrfToken(), ...fields });

describe('the page of an article', () => {
  it('shows the text, with pictures that the service serves', async () => {
    const id = await anArticle();

    const page = await visitor.open(`/read/${id}`).expect(200);

    expect(headingOf(page)).toContain('Article /garden-path');
    expect(shownText(page, '#article-text')).toContain('Every plain sentence');
    expect(page.headers['content-security-policy']).toContain(`img-src 'self'`);
    const [, picture] = /<img src="(\/images\/[^"]+)"/.exec(page.text)!;
    await visitor.open(picture!).expect(200);
    expect(page.text).toMatch(/href="[^"]*" rel="noopener noreferrer">Original page/);
  });

  it('removes scripts, styles, forms, names and foreign ids of the article', async () => {
    const id = await anArticle(HOSTILE);

    const page = await visitor.open(`/read/${id}`).expect(200);

    const [, text] = /id="article-text"[^>]*>(.*)<\/div>\s*<\/article>/s.exec(page.text)!;
    expect(text).not.toMatch(
      /<(?:script|iframe|form|input|h1)|style=|onclick|javascript:|name=|spy\.png/,
    );
    expect(text!.match(/ id="([^"]+)"/g)).toEqual([0, 1, 2, 3, 4].map((at) => ` id="p-${at}"`));
    expect(text).toMatch(/<h2 id="p-0">One &amp; only<\/h2><h3 id="p-1">Deep<\/h3>/);
    expect(text).toContain(
      '<a href="https://example.com/?a=1&amp;b=2" rel="noopener noreferrer">A link</a>',
    );
    expect(text).toContain('<b>bold &lt;script&gt;</b>');
    expect(text).toContain('Video: <a href="https://www.youtube.com/embed/1"');
  });

  it('shows an article with 10 MB of text and 5,000 pictures', async () => {
    const paragraph = `<p>${'Many <em>words</em> &amp; more. '.repeat(100)}</p>`;
    const pictures = '<img src="https://elsewhere.example/x.png">'.repeat(5000);
    const html = `${paragraph.repeat(Math.ceil(10e6 / paragraph.length))}${pictures}<p>Done.</p>`;
    const id = await anArticle(html);
    await post(`/read/${id}/highlights`, { quote: 'Done.', note: '' });

    const { text } = await visitor.open(`/read/${id}`).expect(200);

    expect(text.length).toBeGreaterThan(10e6);
    expect(text).toMatch(/<mark [^>]*><a [^>]*>Done\.<\/a><\/mark><\/p><\/div>/);
    expect(text).not.toContain('elsewhere.example');
  });

  it('returns 404 for other users and for unknown items', async () => {
    const id = await anArticle();
    const other = await aVisitor(app);

    await other.open(`/read/${id}`).expect(404);
    await other.open(`/read/${id}/markdown`).expect(404);
    await other.open('/read/nothing').expect(404);
    const { headers } = await visitor.open(`/read/99999999999999999999`).expect(404);
    expect(headers['content-type']).toContain('text/html');
  });

  it('shows why there is no text, and fetches the page again when the user retries', async () => {
    const id = await api.saved(`${site.url}/status-000`);
    const first = await visitor.open(`/read/${id}`).expect(200);
    expect(shownText(first)).toContain('sent an invalid response');
    const asked = site.timesAsked('/status-000');
    await timePasses(app.database, '61 seconds');

    const again = await visitor.submit(formIn(first, `/read/${id}/retry`)).expect(303);

    expect(again.headers['location']).toBe(`/read/${id}`);
    expect(site.timesAsked('/status-000')).toBeGreaterThan(asked);
    expect(shownText(await visitor.open(`/read/${id}`))).toContain('Try again');
  });

  it('links to the unread items before and after it', async () => {
    const ids: string[] = [];
    for (const name of ['old', 'archived', 'new']) {
      ids.push(await api.saved(`${site.url}/${name}-${api.user.id}`));
    }
    const [old, archived, latest] = ids as [string, string, string];
    await api.results({ action: 'archive', item_id: archived });

    const page = await visitor.open(`/read/${archived}`).expect(200);

    expect(page.text).toContain(`href="/read/${old}" rel="next"`);
    expect(page.text).toContain(`href="/read/${latest}" rel="prev"`);
  });
});

describe('the appearance settings', () => {
  it('are stored if they are valid, and apply to the pages of the reader', async () => {
    const id = await anArticle();
    const form = { theme: 'sepia', size: 'large', width: 'wide', face: 'sans', spacing: 'loose' };

    await post('/read/appearance', { ...form, theme: 'none' }).then(({ status }) => {
      expect(status).toBe(400);
    });
    const kept = await post('/read/appearance', { ...form, item: id });

    expect(kept.headers['location']).toBe(`/read/${id}`);
    for (const path of [`/read/${id}`, '/highlights']) {
      expect((await visitor.open(path)).text).toContain(
        'data-theme="sepia" data-size="large" data-width="wide" data-face="sans" data-spacing="loose"',
      );
    }
  });
});

describe('the reading position', () => {
  const progress = async (id: string) =>
    /data-fraction="([^"]*)"\s*(?:data-paragraph="(\d+)")?/
      .exec((await visitor.open(`/read/${id}`)).text)!
      .slice(1);
  const at = (fraction: string, paragraph: string, time: number) => ({
    ...{ fraction, paragraph, at: String(time) },
  });

  it('is the latest one, even after concurrent requests or if the clock of a device is fast', async () => {
    const id = await anArticle();
    const now = app.clock.now().getTime();
    const _csrf = await visitor.csrfToken();
    const path = `/read/${id}/position`;

    await Promise.all(
      [at('0.75', '2', now - 1000), at('0.25', '1', now - 5000), at('0.5', '1', now - 9000)].map(
        (fields) => visitor.post(path, { _csrf, ...fields }).expect(303),
      ),
    );
    expect(await progress(id)).toEqual(['0.75', '2']);

    // The first device's clock is fast. A later position from another device must win anyway.
    await visitor.post(path, { _csrf, ...at('0.1', '0', now + 1e9) }).expect(303);
    app.clock.advance(10);
    await visitor.post(path, { _csrf, ...at('0.9', '2', now + 9000) }).expect(303);
    expect(await progress(id)).toEqual(['0.9', '2']);
  });

  it('can be sent as a percentage by the form, and selects a paragraph', async () => {
    const id = await anArticle(HOSTILE);

    expect((await post(`/read/${id}/position`, { percent: '100' })).status).toBe(303);

    expect(await progress(id)).toEqual(['1', '4']);
    const page = await visitor.open(`/read/${id}`);
    expect(page.text).toContain('href="#p-4" id="continue"');
    expect((await post(`/read/${id}/position`, { percent: '101' })).status).toBe(400);
    expect((await post('/read/1/position', { percent: '1' })).status).toBe(404);
  });
});

describe('a highlight', () => {
  it('can be created across elements, listed, changed, downloaded and deleted', async () => {
    const id = await anArticle(HOSTILE);
    const quote = 'bold <script>\n\nwords,   and';

    const added = await post(`/read/${id}/highlights`, { quote, note: 'so <b>true</b>' });
    const [, annotation] = /#highlight-(.*)$/.exec(added.headers['location']!)!;
    await post(`/read/${id}/highlights`, { quote: 'words, and more', before: 'bold', note: '' });
    await post(`/read/${id}/highlights`, { quote: 'Twice said', before: 'Then other words. ' });

    const page = await visitor.open(`/read/${id}`).expect(200);
    expect(page.text).toContain(
      `<b><mark class="highlight" id="highlight-${annotation!}" data-highlights="${annotation!}" data-top="${annotation!}" data-color="yellow"><a href="#note-${annotation!}" title="Yellow highlight with a note">bold &lt;script&gt;</a></mark></b><mark`,
    );
    expect(page.text).toMatch(
      /Twice said\. Then other words\. <mark [^>]*><a [^>]*>Twice said<\/a><\/mark>\./,
    );
    expect(page.text).toContain('so &lt;b&gt;true&lt;/b&gt;');
    const shown = (await api.items({ annotations: 1 }))[0]!.annotations!;
    expect(shown).toContainEqual(expect.objectContaining({ quote, note: 'so <b>true</b>' }));
    expect(shown.filter((one) => 'note' in one)).toHaveLength(1);

    await post(`/read/${id}/highlights/note`, { highlight: annotation!, note: 'changed' });
    const all = await visitor.open('/highlights').expect(200);
    expect(shownText(all)).toContain('changed');
    const file = await visitor.open(`/read/${id}/markdown`).expect(200);
    expect(file.headers['content-disposition']).toContain('.md');
    expect(file.text).toMatch(/## One & only.*\*\*bold \\<script\\>\*\* words.*## Highlights/s);
    expect((await visitor.open('/highlights/markdown').expect(200)).text).toContain('changed');

    await post(`/read/${id}/highlights/delete`, { highlight: annotation! });
    expect((await visitor.open(`/read/${id}`)).text).not.toContain('changed');
  });

  it('is rejected if the article does not contain it, and the form keeps the typed text', async () => {
    const id = await anArticle(HOSTILE);

    const answer = await post(`/read/${id}/highlights`, { quote: 'never said', note: 'my words' });

    expect(answer.status).toBe(400);
    expect(shownText(answer, '[role=alert]')).toContain('text from the article');
    expect(answer.text).toMatch(/never said<\/textarea>/);
    expect(answer.text).toMatch(/my words<\/textarea>/);
    expect((await visitor.post(`/read/${id}/highlights`, { quote: 'words' })).status).toBe(403);
  });

  it('keeps its note when a client sends it again without one', async () => {
    const id = await anArticle(HOSTILE);
    const annotation = { annotation_id: 'mine', quote: 'words', patch: '' };
    const add = (more: object) => ({
      ...{ action: 'add_annotation', item_id: id, annotation: { ...annotation, ...more } },
    });
    await api.results(add({ note: 'mine' }));

    await api.results(add({ quote: 'other words' }));
    expect((await api.items({ annotations: 1 }))[0]!.annotations).toEqual([
      expect.objectContaining({ quote: 'other words', note: 'mine' }),
    ]);
    await api.results(add({ note: '' }));
    expect((await api.items({ annotations: 1 }))[0]!.annotations![0]).not.toHaveProperty('note');
  });
});
