import sharp from 'sharp';

import { aVisitor } from '../support/oauth-api.js';
import { bookWithPictures, readEpub } from '../support/read-epub.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { storeArticle } from '../support/stored-articles.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

const embedded = async (width: number): Promise<string> => {
  const bytes = await sharp({ create: { width, height: 80, channels: 3, background: 'navy' } })
    .png()
    .toBuffer();
  return `data:image/png;base64,${bytes.toString('base64')}`;
};

/** Exports an article as a book until the book has `count` pictures. */
async function bookOf(html: string, count: number) {
  const api = await ReadingListApi.of(app);
  const visitor = await aVisitor(app, api.user);
  const id = await api.saved('https://courier.example/gulls');
  await storeArticle(app.database, api.user.id, id, html);
  const { body } = await bookWithPictures(count, () =>
    visitor.open(`/read/${id}/export.epub`).responseType('blob').expect(200),
  );
  return readEpub(body as Buffer);
}

describe('a picture whose data is in the article', () => {
  it('is a file of the book, once', async () => {
    const [gull, tern] = [await embedded(120), await embedded(150)];
    const image = (src: string): string => `<p>A gull.</p><p><img src="${src}" alt="A gull"></p>`;

    const { pictures, chapters } = await bookOf(image(gull) + image(tern) + image(gull), 2);

    const sizes = await Promise.all(
      Object.values(pictures).map(async (bytes) => (await sharp(bytes).metadata()).width),
    );
    expect(sizes).toEqual([120, 150]);
    const sources = [...chapters[0]!.document.getElementsByTagName('img')].map((one) =>
      one.getAttribute('src'),
    );
    const [first, second] = Object.keys(pictures);
    expect(sources).toEqual([first, second, first]);
  });

  it('leaves its alternative text if it is broken', async () => {
    const { pictures, chapters } = await bookOf(
      '<p>A gull.</p><p><img src="data:image/png;base64,iVBORw0KGgo=" alt="A gull in flight"></p>',
      0,
    );

    expect(pictures).toEqual({});
    expect(chapters[0]!.document.documentElement!.textContent).toContain('A gull in flight');
  });
});
