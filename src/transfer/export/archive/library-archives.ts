import type { FileHandle } from 'node:fs/promises';

import { Injectable, Logger } from '@nestjs/common';
import pLimit from 'p-limit';

import { factsOf } from '../../../articles/epub/chapter.js';
import { UserRepository } from '../../../auth/user.repository.js';
import { languageOfUser } from '../../../auth/user-language.js';
import { type ZipEntry, zipped } from '../../../lib/util/zipped.js';
import { DEFAULT_LANGUAGE } from '../../../platform/i18n/languages.js';
import { translatorTo } from '../../../platform/i18n/translator.js';
import { ListReader } from '../../../reading-list/get/list-reader.js';
import { AccountDeletedError } from '../../transfer.errors.js';
import { INDEX_END, indexRow, indexStart, LIBRARY_FILE } from './archive-pages.js';
import type { ArchiveParts } from './archive-parts.js';
import { ArchivedArticles } from './archived-articles.js';
import { ArchivedPictures } from './archived-pictures.js';
import { ArchivedSnapshots } from './archived-snapshots.js';

const ALL_ITEMS = { filter: {}, order: 'newest', withNotes: true } as const;

/** The maximum number of archives in one process that prepare their next file at the same time. */
const WRITERS = 2;

/** The temporary files of one archive. */
interface ArchiveFiles {
  /** The finished list in Satchel's own format. */
  readonly list: FileHandle;
  /** An empty file for the entries of the index, which is the last file of the archive. */
  readonly index: FileHandle;
}

/**
 * Writes a list with its articles and pictures as a ZIP archive, which needs no other site (docs/decisions/0145).
 * Reads only the database. The archive is written while it is read.
 */
@Injectable()
export class LibraryArchives {
  private readonly logger = new Logger(LibraryArchives.name);
  private readonly writers = pLimit(WRITERS);

  constructor(
    private readonly articles: ArchivedArticles,
    private readonly snapshots: ArchivedSnapshots,
    private readonly lists: ListReader,
    private readonly users: UserRepository,
  ) {}

  /**
   * @throws AccountDeletedError if the account is deleted meanwhile
   * @throws the reason of `signal` if `signal` is aborted
   */
  async *bytes(userId: string, files: ArchiveFiles, signal: AbortSignal): AsyncGenerator<Buffer> {
    try {
      yield* zipped(this.inTurn(this.entries(await this.partsOf(userId, signal), files)));
    } catch (error) {
      if (!signal.aborted && !(error instanceof AccountDeletedError)) {
        this.logger.error(error);
      }
      throw error;
    }
  }

  private async partsOf(userId: string, signal: AbortSignal): Promise<ArchiveParts> {
    const user = await this.users.findOneBy({ id: userId });
    const translator = translatorTo(user === null ? DEFAULT_LANGUAGE : languageOfUser(user));
    const pictures = new ArchivedPictures(this.articles.pictures);
    const missing = { articles: 0, conversions: 0, pictures: 0, snapshots: 0 };
    const withSnapshots = await this.snapshots.itemIds(userId);
    const withHighlights = await this.articles.notes.itemIds(userId);
    return { userId, translator, pictures, withSnapshots, withHighlights, missing, signal };
  }

  /** Yields the files. An archive whose client reads slowly does not count as a writer while it waits for the client. */
  private async *inTurn(entries: AsyncGenerator<ZipEntry, void>): AsyncGenerator<ZipEntry> {
    const next = () => this.writers(() => entries.next());
    try {
      for (let one = await next(); one.done !== true; one = await next()) {
        yield one.value;
      }
    } finally {
      await entries.return();
    }
  }

  private async *entries(
    parts: ArchiveParts,
    { list, index }: ArchiveFiles,
  ): AsyncGenerator<ZipEntry, void> {
    const { userId, translator, missing, signal } = parts;
    yield { path: LIBRARY_FILE, content: contentOf(list) };
    for await (const row of this.lists.rows(userId, ALL_ITEMS)) {
      signal.throwIfAborted();
      const { path: page, hasArticle } = yield* this.articles.files(row, parts);
      const snapshots = yield* this.snapshots.files(row.item_id, parts);
      const facts = factsOf({ item: row, isWaiting: false, page: undefined });
      await index.appendFile(indexRow(translator, { facts, page, hasArticle, snapshots }));
    }
    if (!(await this.users.existsBy({ id: userId }))) {
      throw new AccountDeletedError();
    }
    const pieces = [indexStart(translator, missing), contentOf(index), INDEX_END];
    yield { path: 'index.html', content: joined(pieces) };
  }
}

const contentOf = (file: FileHandle): AsyncIterable<Buffer> =>
  file.createReadStream({ start: 0, autoClose: false });

async function* joined(
  pieces: readonly (string | AsyncIterable<Buffer>)[],
): AsyncGenerator<string | Buffer> {
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      yield piece;
    } else {
      yield* piece;
    }
  }
}
