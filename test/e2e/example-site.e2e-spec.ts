import { statSync } from 'node:fs';

import type { AddedItemResponse } from '../../src/reading-list/add/add.presenter.js';
import type { ItemResponse } from '../../src/reading-list/get/item.presenter.js';
import { ExampleSite } from '../support/example-site.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const ID = expect.stringMatching(/^[1-9]\d*$/);
const DATE = expect.stringMatching(/^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d$/);
const SECONDS = expect.stringMatching(/^1[789]\d{8}$/);

let site: ExampleSite;
let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  site = await ExampleSite.served();
  app = await aTestApp({
    config: {
      ...{ resolverConcurrency: 2, resolveWaitMs: 60_000 },
      resolverAllows: { addresses: ['127.0.0.1'], ports: [site.port] },
    },
  });
  api = await ReadingListApi.of(app);
});
afterAll(async () => {
  await app.close();
  await site.stop();
});

const sizeOf = (file: string): string => String(statSync(`examples/site/${file}`).size);

/** Saves a page. Returns it from the answer of add, and with all details from get. */
async function added(path: string): Promise<{ item: AddedItemResponse; saved: ItemResponse }> {
  const item = (await api.add({ url: `${site.url}/${path}` }).expect(200)).body
    .item as AddedItemResponse;
  return { item, saved: (await api.item(item.item_id))! };
}

describe('a page of the example site', () => {
  it('fills every field of the responses of /v3/add and /v3/get', async () => {
    const url = `${site.url}/roof-garden.html`;
    const picture = `${site.url}/pictures/roof.svg`;

    const { item, saved } = await added('roof-garden.html');

    const authors = [
      { author_id: ID, name: 'Mira Okafor', url: `${site.url}/people/mira-okafor.html` },
      { author_id: ID, name: 'Tomas Lindqvist', url: '' },
    ];
    const image = {
      ...{ item_id: item.resolved_id, image_id: '1', src: picture, width: '640', height: '360' },
      caption: 'Twelve beds, four barrels and one bench, seen from above.',
      credit: 'Tomas Lindqvist',
    };
    const video = {
      ...{ item_id: item.resolved_id, video_id: '1', type: '1', vid: 'roofGarden1', length: '0' },
      ...{ src: 'https://www.youtube.com/embed/roofGarden1', width: '560', height: '315' },
    };
    const shown = {
      excerpt: expect.stringMatching(
        /^Eleven buses a minute pass below, .* quietest place in town/,
      ),
      ...{ is_article: '1', is_index: '0', has_image: '1', has_video: '1', lang: 'en' },
      ...{ resolved_url: url, top_image_url: picture, given_url: url },
      ...{ images: { '1': image }, videos: { '1': video } },
    };
    expect(item).toEqual({
      ...shown,
      ...{ item_id: ID, resolved_id: ID, extended_item_id: item.resolved_id },
      ...{ normal_url: url, resolved_normal_url: expect.stringContaining('/roof-garden.html') },
      ...{ domain_id: ID, origin_domain_id: item.domain_id, login_required: '0' },
      ...{ response_code: '200', mime_type: 'text/html', encoding: 'UTF-8' },
      ...{ content_length: sizeOf('roof-garden.html'), innerdomain_redirect: '0' },
      ...{ date_resolved: DATE, date_published: '2025-05-04 06:30:00', time_first_parsed: SECONDS },
      ...{ title: 'A garden on the roof of a bus station', used_fallback: '0' },
      word_count: expect.stringMatching(/^3\d\d$/),
      authors: expect.anything(),
    });
    expect(Object.values(item.authors)).toEqual(authors);
    expect(saved).toMatchObject({
      ...shown,
      ...{ resolved_title: item.title, word_count: item.word_count, resolved_id: item.resolved_id },
      ...{ image: { item_id: item.resolved_id, src: picture, width: '640', height: '360' } },
      time_to_read: expect.any(Number),
      domain_metadata: { name: expect.any(String) },
    });
    expect(Object.values(saved.authors ?? {})).toEqual(
      authors.map((author) => ({ ...author, item_id: item.resolved_id })),
    );
  });

  it('is parsed in a language without spaces', async () => {
    const { item, saved } = await added('moon-viewing.html');

    expect(item).toMatchObject({
      title: '月を待つ屋上',
      lang: 'ja',
      is_article: '1',
      has_image: '0',
    });
    expect(Number(item.word_count)).toBeGreaterThan(120);
    expect(Number(item.word_count)).toBeLessThan(240);
    expect(Object.values(item.authors)).toMatchObject([{ name: '佐久間 澪' }]);
    expect(item.top_image_url).toBe(`${site.url}/pictures/moon.svg`);
    expect(saved).toMatchObject({ word_count: item.word_count, lang: 'ja' });
  });

  it('is reported as an index and not as an article', async () => {
    const { item, saved } = await added('');

    const kind = { is_article: '0', is_index: '1', has_image: '0', has_video: '0' };
    expect(item).toMatchObject({ title: 'The Rooftop Almanac', ...kind });
    expect(saved).toMatchObject(kind);
  });

  it('is reported as a video', async () => {
    const { item, saved } = await added('film.html');

    const video = { type: '4', vid: '20250504', length: '182', width: '1280', height: '720' };
    const shown = { has_video: '2', videos: { '1': video } };
    expect(item).toMatchObject({ title: 'A year on the roof, in three minutes', ...shown });
    expect(saved).toMatchObject(shown);
  });

  it('is reported as a picture', async () => {
    const { item, saved } = await added('pictures/roof.svg');

    const src = `${site.url}/pictures/roof.svg`;
    const image = { image_id: '1', src, width: '640', height: '360' };
    const shown = { has_image: '2', top_image_url: src, images: { '1': image }, is_article: '0' };
    expect(item).toMatchObject({ ...shown, mime_type: 'image/svg+xml', title: 'roof.svg' });
    expect(item.content_length).toBe(sizeOf('pictures/roof.svg'));
    expect(saved).toMatchObject({ ...shown, image: { src } });
  });

  it('is reported as plain text', async () => {
    const { item, saved } = await added('sowing.txt');

    const words = { word_count: '62', lang: 'en', is_article: '1' };
    expect(item).toMatchObject({ ...words, mime_type: 'text/plain', encoding: 'UTF-8' });
    expect(item).toMatchObject({ title: 'What to sow when', has_image: '0', has_video: '0' });
    expect(item.excerpt).toMatch(/^Broad beans go in /);
    expect(saved).toMatchObject({ ...words, excerpt: item.excerpt });
  });
});

it('returns the fields of a page that a client sends as html with /v3/add', async () => {
  const html = `<html lang="en"><title>Behind a login</title><p>${'Words of a page. '.repeat(40)}`;

  const { item } = (await api.add({ url: 'https://intern.example/page', html }).expect(200)).body;

  expect(item).toMatchObject({
    ...{ title: 'Behind a login', mime_type: 'text/html', encoding: 'UTF-8', word_count: '160' },
    ...{ content_length: String(Buffer.byteLength(html)), lang: 'en', domain_id: ID },
    resolved_url: 'https://intern.example/page',
  });
});
