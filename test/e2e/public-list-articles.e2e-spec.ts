import request, { type Response, type Test } from 'supertest';

import { parseDocument } from '../../src/lib/extraction/dom.js';
import { Publisher } from '../support/list-publisher.js';
import { formIn } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let ada: Publisher;
let path: string;
let first: string;
let second: string;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await Publisher.of(app);
  first = await ada.api.saved('https://sea.example/1', { tags: 'sea', title: 'At sea' });
  second = await ada.api.saved('https://sea.example/2', { tags: 'sea', title: 'On the coast' });
  path = await ada.publish();
});

const visit = (address: string, headers: Record<string, string> = {}): Test =>
  request(app.url)
    .get(address)
    .set({ Accept: 'text/html', 'Accept-Language': 'en', ...headers });

/** Returns the links "Read" on a page, with the titles of their items. */
const readLinks = ({ text }: Response): { title: string; href: string }[] => {
  const { body } = parseDocument(text);
  return [...body.querySelectorAll('.shared-items li')].flatMap((item) => {
    const links = [...item.querySelectorAll('.facts a')];
    return links.map((link) => ({
      title: item.querySelector('h2')?.textContent?.trim() ?? '',
      href: link.getAttribute('href') ?? '',
    }));
  });
};

const titlesOf = (page: Response): string[] => readLinks(page).map(({ title }) => title);

/** Submits a form of the article page. */
async function submitted(id: string, action: string, fields = {}): Promise<void> {
  const form = formIn(await ada.visitor.open(`/read/${id}`).expect(200), `/read/${id}/${action}`);
  await ada.visitor.submit(form, fields).expect(303);
}

const share = (id: string): Promise<void> => submitted(id, 'share', { days: 'never' });

const expire = (): Promise<unknown> =>
  app.database.query(
    `UPDATE shared_items SET expires_at = now() - interval '1 second' WHERE user_id = $1`,
    [ada.api.user.id],
  );

describe('the articles of a public list', () => {
  it('have no link "Read" if no item is shared', async () => {
    expect(readLinks(await visit(path).expect(200))).toEqual([]);
  });

  it('can be read if the user shares them one by one', async () => {
    await share(first);

    const [link, ...others] = readLinks(await visit(path).expect(200));

    expect(others).toEqual([]);
    expect(link).toMatchObject({ title: 'At sea', href: expect.stringMatching(/^\/shared\/\S+$/) });
    expect((await visit(link!.href).expect(200)).text).toContain('At sea');
  });

  it('lose the link as soon as the user revokes the public link of the item', async () => {
    await share(first);
    await share(second);
    const before = await visit(path).expect(200);
    expect(titlesOf(before).toSorted()).toEqual(['At sea', 'On the coast']);

    await submitted(first, 'share/revoke');

    const etag = String(before.headers['etag']);
    const after = await visit(path, { 'If-None-Match': etag }).expect(200);
    expect(titlesOf(after)).toEqual(['On the coast']);
  });

  it('lose the link when the public link of the item expires', async () => {
    await share(first);
    const etag = String((await visit(path).expect(200)).headers['etag']);

    await expire();

    const after = await visit(path, { 'If-None-Match': etag }).expect(200);
    expect(readLinks(after)).toEqual([]);
  });

  it('reveal nothing else of a shared item', async () => {
    await ada.send({ action: 'set_note', item_id: first, note: 'Only for me' });
    await share(first);

    const { text } = await visit(path).expect(200);

    expect(text).not.toContain(first);
    expect(text).not.toContain('Only for me');
    const feed = await visit(`${path}.atom`).expect(200);
    expect(feed.text).not.toMatch(/\/shared\/(?!lists)/);
  });

  it('do not depend on the public links of another user for the same page', async () => {
    const eve = await Publisher.of(app);
    await eve.api.saved('https://sea.example/1', { tags: 'sea', title: 'At sea' });
    await share(first);

    expect(readLinks(await visit(await eve.publish()).expect(200))).toEqual([]);
  });
});
