import request from 'supertest';

import type { ImportResponse } from '../../src/transfer/import/import.presenter.js';
import type { ReadingListApi } from './reading-list-api.js';
import type { TestApp } from './test-app.js';

/** Calls the import endpoints with one consumer key for one user. */
export class ImportApi {
  constructor(
    private readonly app: TestApp,
    private readonly api: ReadingListApi,
  ) {}

  /** Uploads a file. */
  upload(file: string | Buffer, members: Readonly<Record<string, string>> = {}): request.Test {
    const sent = request(this.app.url).post('/v3/import');
    for (const [name, value] of Object.entries({ ...this.api.credentials, ...members })) {
      void sent.field(name, value);
    }
    return sent.attach('file', Buffer.from(file), 'saved.txt');
  }

  /** Uploads a file and waits for its import. Returns the result. */
  async imported(
    file: string | Buffer,
    members: Readonly<Record<string, string>> = {},
  ): Promise<ImportResponse> {
    const { body } = await this.upload(file, members).expect(200);
    return this.ended((body.import as ImportResponse).id);
  }

  async ended(id: string): Promise<ImportResponse> {
    for (;;) {
      const job = await this.find(id);
      if (job.finished_at !== null) {
        return job;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  undo(id: string): request.Test {
    return this.api.post(`/v3/import/${id}/undo`);
  }

  /** Undoes an import and waits for the end of the undo. Returns the result. */
  async undone(id: string): Promise<ImportResponse> {
    await this.undo(id).expect(200);
    return this.ended(id);
  }

  async find(id: string): Promise<ImportResponse> {
    const { body } = await this.get(`/v3/import/${id}`).expect(200);
    return body.import as ImportResponse;
  }

  /** Downloads the row errors. Returns the rows without the header. */
  async remarks(id: string): Promise<string[]> {
    const { text } = await this.get(`/v3/import/${id}/remarks`).expect(200);
    return text.trimEnd().split('\n').slice(1);
  }

  get(path: string): request.Test {
    return request(this.app.url).get(path).query(this.api.credentials);
  }
}
