import request, { type Response, type Test } from 'supertest';

import { parseDocument } from '../../src/lib/extraction/dom.js';
import { aVisitor } from './oauth-api.js';
import { formIn, type PageVisitor } from './page-visitor.js';
import type { PictureSite } from './picture-site.js';
import { ReadingListApi } from './reading-list-api.js';
import type { TestApp } from './test-app.js';

export const NOTE = 'Only for friends.';

let articles = 0;

/** A user who shares an article with a picture, a tag, a note and a highlight. */
export class Sharer {
  // eslint-disable-next-line @typescript-eslint/max-params -- only `of` passes them
  private constructor(
    private readonly app: TestApp,
    readonly api: ReadingListApi,
    readonly visitor: PageVisitor,
    readonly url: string,
    readonly id: string,
  ) {}

  static async of(app: TestApp, site: PictureSite): Promise<Sharer> {
    const api = await ReadingListApi.of(app);
    const url = site.article(`shared-${(articles += 1)}`, '/drawing.png');
    const id = await api.saved(url, { tags: 'secret-tag' });
    await api.sent(
      { action: 'set_note', item_id: id, note: NOTE },
      {
        ...{ action: 'add_annotation', item_id: id },
        annotation: { annotation_id: `a${id}`, quote: 'Every plain sentence', note: 'marked' },
      },
    );
    return new Sharer(app, api, await aVisitor(app, api.user), url, id);
  }

  /** Shares an item on its page. Returns the path of the public link. */
  async share(fields: Record<string, string> = {}, id = this.id): Promise<string> {
    const page = await this.visitor.open(`/read/${id}`).expect(200);
    const form = formIn(page, `/read/${id}/share`);
    const answer = await this.visitor.submit(form, { days: 'never', ...fields }).expect(303);
    expect(answer.headers['location']).toBe(`/read/${id}?done=shared#share`);
    return (await this.link(id)) ?? '';
  }

  /** Returns the path of the public link that the article page shows. */
  async link(id = this.id): Promise<string | undefined> {
    const { text } = await this.visitor.open(`/read/${id}`).expect(200);
    const field = parseDocument(text).body.querySelector('#share-link');
    return field?.getAttribute('value')?.slice(this.app.url.length);
  }

  /** Submits the first form to `action` on a page. */
  async submit(path: string, action: string): Promise<Response> {
    return this.visitor.submit(await this.visitor.form(path, action)).expect(303);
  }

  revoke(): Promise<Response> {
    return this.submit(`/read/${this.id}`, `/read/${this.id}/share/revoke`);
  }

  expire(): Promise<unknown> {
    return this.app.database.query(
      `UPDATE shared_items SET expires_at = now() - interval '1 second' WHERE item_id = $1`,
      [this.id],
    );
  }
}

/** Opens a page as a visitor without cookies. */
export const openAsStranger = (app: TestApp, path: string, language = 'en'): Test =>
  request(app.url).get(path).set({ Accept: 'text/html', 'Accept-Language': language });
