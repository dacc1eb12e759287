import { setTimeout as pause } from 'node:timers/promises';

import { normalAddress } from '../../../src/reading-list/list/address.js';
import type { PictureSite } from '../picture-site.js';
import { until } from '../processes.js';
import type { QueriedDatabase } from '../test-database.js';
import { asked } from './list-clients.js';
import { jsonOf } from './persistent-client.js';
import type { Person } from './person.js';

interface Import {
  readonly id: string;
  readonly state: string;
  readonly rows_done: number;
  readonly failure: string | null;
  readonly finished_at: number | null;
}

const ENDS_READERS = /ends what reads it/;

/** Imports a file with `rows` rows. Waits for the import and returns the ids of its items. */
export async function importFile(person: Person, name: string, rows: number): Promise<string[]> {
  const urls = Array.from({ length: rows }, (_, row) => `https://imported.example/${name}/${row}`);
  const form = (): FormData => {
    const data = new FormData();
    Object.entries(person.credentials).forEach(([key, value]) => {
      data.append(key, value);
    });
    data.append('file', new Blob([urls.join('\n')]), 'saved.txt');
    return data;
  };
  for (;;) {
    const id = (await unfinished(person)) ?? (await uploaded(person, form));
    const job = id === undefined ? undefined : await ended(person, id);
    if (job?.state === 'done') {
      return urls.map((url) => normalAddress(url)!.itemId);
    }
    // Two kills during the first look at a file are reported as a file that crashes its readers. The user uploads it
    // again.
    if (job !== undefined && job.failure !== null && !ENDS_READERS.test(job.failure)) {
      person.finds(`an import failed: ${job.failure}`);
      return [];
    }
  }
}

/** Imports of new users, which a fault interrupts. */
export class InterruptedImports {
  private readonly begun: { readonly person: Person; readonly ids: Promise<string[]> }[] = [];
  private unfinished = 0;

  constructor(
    private readonly database: QueriedDatabase,
    private readonly signUp: () => Promise<Person>,
  ) {}

  /** Begins an import. Resolves when some of its rows are imported. */
  async begin(): Promise<void> {
    const person = await this.signUp();
    this.unfinished += 1;
    const ids = importFile(person, person.email, LONG_FILE)
      .catch((error: unknown) => {
        person.finds(String(error));
        return [];
      })
      .finally(() => (this.unfinished -= 1));
    this.begun.push({ person, ids });
    await until(async () => {
      const found = await this.database.query(HAS_BEGUN, [person.email]);
      return found.length > 0;
    }, 'the first rows of an import');
  }

  /** Waits for all imports. Returns the users whose lists differ from their files. */
  async differences(): Promise<string[]> {
    await until(() => this.unfinished === 0, 'the end of the interrupted imports');
    const found: string[] = [];
    for (const { person, ids } of this.begun) {
      const expected = (await ids).toSorted();
      const imported = [...(await asked(person)).changes.keys()];
      if (imported.toSorted().join() !== expected.join()) {
        found.push(person.email);
      }
    }
    return found;
  }
}

const LONG_FILE = 3000;
const HAS_BEGUN = `
  SELECT 1 FROM imports JOIN users ON users.id = user_id WHERE email = $1 AND rows_done > 0`;

const listOf = (person: Person): string =>
  `/v3/import?${new URLSearchParams(person.credentials).toString()}`;

/** Returns an unfinished import. Cancels an interrupted upload. */
async function unfinished(person: Person): Promise<string | undefined> {
  const { imports } = jsonOf<{ imports: Import[] }>(
    await person.authorized(() => person.client.get(listOf(person))),
  );
  const job = imports.find(({ finished_at: end }) => end === null);
  if (job?.state === 'uploading') {
    await person.call(`/v3/import/${job.id}/cancel`);
    return undefined;
  }
  return job?.id;
}

async function uploaded(person: Person, form: () => FormData): Promise<string | undefined> {
  const answer = await person.authorized(() => person.client.upload('/v3/import', form));
  if (answer.status !== 200 && answer.status !== 409) {
    throw new Error(`an upload was answered with ${answer.status} ${answer.body.toString()}`);
  }
  return answer.status === 200 ? jsonOf<{ import: Import }>(answer).import.id : undefined;
}

async function ended(person: Person, id: string): Promise<Import> {
  for (;;) {
    const answer = await person.authorized(() => {
      const query = new URLSearchParams(person.credentials).toString();
      return person.client.get(`/v3/import/${id}?${query}`);
    });
    const { import: job } = jsonOf<{ import: Import }>(answer);
    if (job.finished_at !== null) {
      return job;
    }
    await pause(500);
  }
}

/**
 * Fetches the pictures of an article at all instances. Each picture must have the same bytes everywhere. `known` gets
 * the bytes of both pictures.
 */
export async function lookAtPictures(
  person: Person,
  site: PictureSite,
  known = new Map<string, string>(),
): Promise<void> {
  const url = site.article(`article-${person.email}`, '/photo.webp', '/drawing.png');
  await person.called('/v3/add', { url });
  await person.keeps(
    async () => {
      const answer = await person.call('/v3beta/text', { url });
      // Until the article has been fetched, the answer has no pictures.
      const images =
        answer.status === 200
          ? jsonOf<{ images?: Record<string, { src: string }> }>(answer).images
          : {};
      for (const { src } of Object.values(images ?? {})) {
        const picture = await person.client.get(new URL(src).pathname);
        if (picture.status !== 200) {
          person.finds(`a picture was answered with ${picture.status}`);
        }
        const bytes = picture.body.toString('base64');
        if ((known.get(src) ?? bytes) !== bytes) {
          person.finds('a picture has other bytes at another instance');
        }
        known.set(src, bytes);
      }
    },
    () => 300,
  );
  if (known.size !== 2) {
    person.finds(`${known.size} of 2 pictures were shown`);
  }
}
