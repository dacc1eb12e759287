import type { Response } from 'supertest';

import { aVisitor } from './oauth-api.js';
import { locationOf, type PageVisitor } from './page-visitor.js';
import { ReadingListApi } from './reading-list-api.js';
import type { TestApp } from './test-app.js';

export const LISTS = '/list/lists';

/** A user with a saved list of everything that has the tag `sea`. */
export class Publisher {
  private constructor(
    readonly api: ReadingListApi,
    readonly visitor: PageVisitor,
    readonly id: string,
  ) {}

  static async of(app: TestApp, name = 'By the sea', path = '/list?tag=sea'): Promise<Publisher> {
    const api = await ReadingListApi.of(app);
    const visitor = await aVisitor(app, api.user);
    const form = await visitor.form(path, LISTS);
    await visitor.submit(form, { name }).expect(303);
    const { text } = await visitor.open(LISTS).expect(200);
    const id = /lists\/edit\?id=([\da-f-]+)/.exec(text)?.[1] ?? '';
    return new Publisher(api, visitor, id);
  }

  get editPath(): string {
    return `${LISTS}/edit?id=${this.id}`;
  }

  async save(fields: Record<string, string> = {}): Promise<Response> {
    const form = await this.visitor.form(this.editPath, `${LISTS}/public`);
    return this.visitor.submit(form, fields);
  }

  /** Publishes the list. Returns the path of the public page. */
  async publish(fields: Record<string, string> = {}): Promise<string> {
    const answer = await this.save({ public: '1', ...fields });
    expect(answer.status).toBe(303);
    const page = await this.visitor.open(locationOf(answer)).expect(200);
    return /href="([^"]*\/shared\/lists\/[^"]+)"/.exec(page.text)?.[1] ?? '';
  }

  async send(...actions: object[]): Promise<void> {
    await this.api.send(actions).expect(200);
  }
}
