import { normalAddress } from '../../../src/reading-list/list/address.js';
import type { PageServer } from '../page-server.js';
import { aSharedAction, type Delta, dice, SyncingReader } from '../syncing-reader.js';
import type { Person } from './person.js';

interface WireList {
  readonly since: number;
  readonly complete: number;
  readonly list: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const MOST_AT_ONCE = 5000;

/** Polls once, through all pages. Drops the differences between a delta and a list. */
export async function asked(person: Person, since?: number): Promise<Delta> {
  const changes = new Map<string, object | null>();
  let next: number | undefined;
  let isWhole = false;
  for (let offset = 0, found = MOST_AT_ONCE; found === MOST_AT_ONCE; offset += MOST_AT_ONCE) {
    const members = { since, state: 'all', count: MOST_AT_ONCE, offset, detailType: 'complete' };
    const page = await person.called<WireList>('/v3/get', members);
    // The next poll returns changes that happen between two pages. Hence the `since` of the first page counts.
    next ??= page.since;
    isWhole ||= page.complete === 1;
    found = Object.keys(page.list).length;
    for (const [id, item] of Object.entries(page.list)) {
      changes.set(id, item.status === '2' ? null : { ...item, sort_id: 0 });
    }
  }
  return { since: next ?? 0, changes, isWhole };
}

type Fields = Readonly<Record<string, string>>;

/** Returns what is wrong with the list of a person. */
export async function faultsOfList(person: Person, expected: ExpectedList): Promise<string[]> {
  const items = new Map<string, Fields>();
  for (const [id, item] of (await asked(person)).changes) {
    items.set(id, item as Fields);
  }
  const itemOf = (url: string): Fields | undefined => items.get(normalAddress(url)!.itemId);
  const foreign = [...items.values()]
    .map(({ given_url: url = '' }) => url)
    .filter((url) => !expected.own.test(url));
  const { saved = [], favorites = [] } = expected;
  return [
    ...saved.filter((url) => itemOf(url) === undefined).map((url) => `without ${url}`),
    ...favorites.filter((url) => itemOf(url)?.favorite !== '1').map((url) => `no favorite: ${url}`),
    ...foreign.map((url) => `with ${url}, which ${person.email} has not saved`),
  ];
}

interface ExpectedList {
  /** Matches all addresses that the person may have saved. */
  readonly own: RegExp;
  /** Addresses whose save was acknowledged. */
  readonly saved?: readonly string[];
  /** Addresses whose mark as a favorite was acknowledged. */
  readonly favorites?: readonly string[];
}

/** Saves pages and changes items that all writers share, until the scene ends. */
export class Writer {
  /** URLs whose save was acknowledged. */
  readonly acknowledged: string[] = [];
  /** Those of them that were marked as favorites, and whose mark was acknowledged. */
  readonly favorites: string[] = [];
  private batches = 0;
  private readonly roll: (sides: number) => number;

  constructor(
    private readonly person: Person,
    private readonly name: string,
    seed: number,
    private readonly pages?: PageServer,
  ) {
    this.roll = dice(seed);
  }

  get ids(): string[] {
    return this.acknowledged.map((url) => normalAddress(url)!.itemId);
  }

  write(): Promise<void> {
    return this.person.keeps(
      () => this.save(),
      () => 20 + this.roll(250),
    );
  }

  private async save(): Promise<void> {
    this.batches += 1;
    const shared = Array.from({ length: this.roll(4) }, () => aSharedAction(this.roll));
    const url = `https://own.example/${this.name}/${this.batches}`;
    await this.person.called('/v3/send', { actions: [...shared, { action: 'add', url }] });
    this.acknowledged.push(url);
    if (this.roll(2) === 0) {
      // A late repetition of the save does not remove the mark.
      await this.person.called('/v3/send', { actions: [{ action: 'favorite', url }] });
      this.favorites.push(url);
    }
    const [page] = this.pages?.urls(1, `${this.name}/${this.batches}`) ?? [];
    if (page !== undefined && this.roll(2) === 0) {
      await this.person.called('/v3/add', { url: page });
      this.acknowledged.push(page);
    }
  }
}

interface Tagged {
  readonly tags?: object;
}

/** Repeatedly renames the only tag of a long list, so that instances end during the tag move. */
export class Renamer {
  private tag = 'tag 0';
  private renames = 0;

  private constructor(
    private readonly person: Person,
    private readonly count: number,
  ) {}

  static async withItems(person: Person, count: number): Promise<Renamer> {
    const renamer = new Renamer(person, count);
    const actions = Array.from({ length: count }, (_, at) => ({
      action: 'add',
      url: `https://tagged.example/${at}`,
      tags: renamer.tag,
    }));
    await person.called('/v3/send', { actions });
    return renamer;
  }

  rename(): Promise<void> {
    return this.person.keeps(
      async () => {
        const next = `tag ${(this.renames += 1)}`;
        const rename = { action: 'tag_rename', old_tag: this.tag, new_tag: next };
        await this.person.called('/v3/send', { actions: [rename] });
        this.tag = next;
      },
      () => 500,
    );
  }

  /** Returns true if each item has only the latest tag. */
  async haveAllFollowed(): Promise<boolean> {
    const { changes } = await asked(this.person);
    const tags = [...changes.values()].map((item) =>
      Object.keys((item as Tagged | null)?.tags ?? {}),
    );
    return tags.length === this.count && tags.every((names) => names.join() === this.tag);
  }
}

/** A program that syncs a copy of the list, with each request at another instance. */
export class Follower {
  private readonly reader: SyncingReader;

  constructor(private readonly person: Person) {
    this.reader = new SyncingReader((since) => asked(person, since));
  }

  follow(): Promise<void> {
    return this.person.keeps(
      () => this.reader.poll(),
      () => 250,
    );
  }

  /** Returns the ids of items that differ between the copy and the list. Omits those that change meanwhile. */
  async differences(): Promise<string[]> {
    const { changes: before } = await asked(this.person);
    await this.reader.poll();
    const { changes: list } = await asked(this.person);
    const { copy } = this.reader;
    const ids = new Set([...copy.keys(), ...list.keys()]);
    return [...ids].filter((id) => {
      const row = JSON.stringify(list.get(id));
      return row === JSON.stringify(before.get(id)) && row !== JSON.stringify(copy.get(id));
    });
  }
}

/** Repeatedly reads an unchanging list page by page, with each page from another instance. */
export async function turnPages(person: Person, ids: readonly string[]): Promise<void> {
  const wanted = ids.toSorted().join();
  await person.keeps(
    async () => {
      const found: string[] = [];
      for (let offset = 0; offset < ids.length; offset += PAGE) {
        const page = await person.called<WireList>('/v3/get', {
          state: 'all',
          count: PAGE,
          offset,
        });
        found.push(...Object.keys(page.list));
      }
      if (found.toSorted().join() !== wanted) {
        person.finds(`pages of a list of ${ids.length} items had ${found.length}`);
      }
    },
    () => 300,
  );
}

const PAGE = 50;
