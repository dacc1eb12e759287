import { fromBufferPromise } from 'yauzl';

import { aVisitor } from '../support/oauth-api.js';
import type { PageVisitor } from '../support/page-visitor.js';
import { PictureSite } from '../support/picture-site.js';
import { bookWithPictures } from '../support/read-epub.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { unzipped } from '../support/unzipped.js';

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
  api = await ReadingListApi.of(app);
  visitor = await aVisitor(app, api.user);
});
afterAll(async () => {
  await app.close();
  await site.stop();
});

const bytesOf = (path: string) => visitor.open(path).responseType('blob');

/** Saves a page and waits until it is fetched. */
async function anArticle(): Promise<string> {
  const id = await api.saved(site.article('pond', '/photo.jpg', '/drawing.png'));
  await visitor.open(`/read/${id}`).expect(200);
  return id;
}

/** Returns the times of the files in an archive, in milliseconds. */
async function fileTimesIn(archive: Buffer): Promise<number[]> {
  const times: number[] = [];
  const zip = await fromBufferPromise(archive);
  for await (const entry of zip.eachEntry()) {
    times.push(entry.getLastModDate({ timezone: 'UTC' }).getTime());
  }
  return times;
}

describe('an EPUB book that is exported twice', () => {
  it('has identical bytes while its content is unchanged, and is dated with the time_added of the item', async () => {
    const id = await anArticle();
    const saved = Number((await api.item(id))!.time_added) * 1000;
    const path = `/read/${id}/export.epub`;
    const first = await bookWithPictures(2, () => bytesOf(path).expect(200));
    await api.sent({ action: 'archive', item_id: id, time: 1_700_000_000 });

    const second = await bytesOf(path).expect(200);

    expect((second.body as Buffer).equals(first.body as Buffer)).toBe(true);
    const latest = Math.max(...(await fileTimesIn(second.body as Buffer)));
    expect(latest).toBe(saved);
    const { 'book/package.opf': description } = await unzipped(second.body as Buffer);
    expect(description).toContain(`>${new Date(saved).toISOString().replace('.000', '')}<`);
  });
});
