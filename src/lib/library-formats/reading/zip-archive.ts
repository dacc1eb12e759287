import { dirname, join } from 'node:path/posix';
import { crc32 } from 'node:zlib';

import { type Entry, openPromise, type ZipFile } from 'yauzl';

import type { Source } from '../format.js';
import { UnreadableFileError } from '../library-formats.errors.js';

/** A file in a ZIP archive, as the archive describes it. */
interface ArchiveEntry {
  /** The name of the file. It is only a label and is never used as a path. */
  readonly name: string;
  /** The position of the file in the archive. */
  readonly index: number;
  readonly entry: Entry;
}

/** Thrown if an entry of the archive is damaged and cannot be unpacked to its end. */
class DamagedEntryError extends Error {}

/** Matches names of files that can contain saved pages. Chrome's file `Bookmarks` has no extension. */
const CANDIDATE = /(?:\.(?:csv|json|jsonl|ndjson|html?|txt|xml|md|markdown|zip)|(?:^|\/)[^./]+)$/i;
/**
 * Matches files that the import report does not list as skipped: files of macOS, hidden files, and the article texts in
 * Readeck's `container/`.
 */
const LEFT_OUT = /(?:^|\/)(?:__MACOSX|bookmarks\/[^/]+\/container|\.[^./][^/]*)(?:\/|$)/;
/**
 * Matches a file that only Omnivore's archive contains. This archive also contains article texts in `content/`, and
 * highlights, which are imported with their articles.
 */
const OF_OMNIVORE = /(?:^|\/)metadata_[^/]*\.json$/i;
const LEFT_OUT_OF_OMNIVORE = /(?:^|\/)(?:content|highlights)\//;
const EXTENSION = /\.[^./]+$/;

/**
 * The maximum number of entries of an archive. Omnivore's archive has two files for each article, and no library has
 * 100,000 articles.
 */
const MAX_ENTRIES = 200_000;
/** The maximum size of an archive's list of entries, which is stored in memory. */
const MAX_LIST_BYTES = 64 * 1024 ** 2;
/** The maximum number of bytes to which all files of an archive unpack. A million rows are 200 MB. */
const MAX_TOTAL_BYTES = 8 * 1024 ** 3;
/**
 * The maximum compression ratio of a file. The ratio of exports is 10 to 30. Deflate can compress zeros at a ratio of
 * 1,000.
 */
const MAX_RATIO = 200;
/**
 * The minimum unpacked size for a check of the compression ratio. The ratio of a smaller file is meaningless, and the
 * file is harmless.
 */
const RATIO_FROM_BYTES = 10 * 1024 ** 2;

const ENCRYPTED = 'The ZIP is encrypted: unpack it and import what it holds.';
const BROKEN = 'The ZIP is broken, or was not downloaded to its end.';
const BOMB = 'The ZIP would unpack to more than any export can be.';
const CONTROL = /\p{Cc}/gu;
/** Compares names so that `part_10` comes after `part_9`. */
const { compare } = new Intl.Collator('en', { numeric: true });

interface Archive {
  /** The files that may be exports, sorted by depth and then by name, so that their order is always the same. */
  readonly sources: readonly Source[];
  /** A pattern, such as `*.png`, for each file that is neither imported nor ignored on purpose. */
  readonly skipped: readonly string[];
}

export async function readArchiveList(path: string): Promise<Archive> {
  const all = await entriesOf(path);
  const byName = new Map(all.map((entry) => [entry.name, entry]));
  const isOfOmnivore = all.some(({ name }) => OF_OMNIVORE.test(name));
  const entries = all.filter(
    ({ name }) => !LEFT_OUT.test(name) && !(isOfOmnivore && LEFT_OUT_OF_OMNIVORE.test(name)),
  );
  return {
    sources: entries
      .filter(({ name }) => CANDIDATE.test(name))
      .sort(inReadingOrder)
      .map((entry) => sourceOf(path, entry, byName)),
    skipped: entries
      .filter(({ name }) => !CANDIDATE.test(name))
      .map(({ name }) => `*${EXTENSION.exec(name)?.[0].toLowerCase() ?? ''}`),
  };
}

function sourceOf(
  path: string,
  entry: ArchiveEntry,
  byName: ReadonlyMap<string, ArchiveEntry>,
): Source {
  return {
    path: entry.name,
    bytes: () => entryBytes(path, entry),
    sibling: (relativePath) => {
      const sibling = byName.get(join(dirname(entry.name), relativePath));
      return sibling === undefined ? undefined : sourceOf(path, sibling, byName);
    },
  };
}

const inReadingOrder = (one: ArchiveEntry, other: ArchiveEntry): number =>
  depthOf(one) - depthOf(other) || compare(one.name, other.name) || one.index - other.index;

const depthOf = ({ name }: ArchiveEntry): number => name.split('/').length;

/**
 * Returns the files of a ZIP archive.
 *
 * @throws UnreadableFileError if the archive is broken, is encrypted, or would unpack to too much data.
 */
async function entriesOf(path: string): Promise<readonly ArchiveEntry[]> {
  const zip = await opened(path);
  const entries: ArchiveEntry[] = [];
  let total = 0;
  let listed = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      total += entry.uncompressedSize;
      listed += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
      if (listed > MAX_LIST_BYTES) {
        throw new UnreadableFileError(BOMB);
      }
      refuseHarmful(entry, total, zip.entriesRead);
      entries.push({ name: nameOf(entry), index: zip.entriesRead, entry });
    }
  } catch (error) {
    throw error instanceof UnreadableFileError ? error : unreadable(error);
  } finally {
    zip.close();
  }
  return entries.filter(({ name }) => !name.endsWith('/'));
}

async function opened(path: string): Promise<ZipFile> {
  try {
    // Does not decode names. Names are only labels, so an invalid name does not make an archive unreadable.
    return await openPromise(path, { decodeStrings: false, autoClose: false });
  } catch (error) {
    throw unreadable(error);
  }
}

function refuseHarmful(entry: Entry, total: number, count: number): void {
  if (entry.isEncrypted()) {
    throw new UnreadableFileError(ENCRYPTED);
  }
  const { uncompressedSize, compressedSize } = entry;
  const isBomb =
    uncompressedSize > RATIO_FROM_BYTES && uncompressedSize > compressedSize * MAX_RATIO;
  if (isBomb || total > MAX_TOTAL_BYTES || count > MAX_ENTRIES) {
    throw new UnreadableFileError(BOMB);
  }
}

const unreadable = (error: unknown): UnreadableFileError =>
  new UnreadableFileError(/encrypt/.test(String(error)) ? ENCRYPTED : BROKEN, error);

/** Returns the name of an archive entry. Replaces the backslashes that Windows writes. */
const nameOf = (entry: Entry): string =>
  entry.fileNameRaw.toString('utf8').replaceAll('\\', '/').replaceAll(CONTROL, ' ');

/**
 * Yields the unpacked bytes of an archive entry. Their number never exceeds the size that the archive declares.
 *
 * @throws DamagedEntryError if the entry cannot be unpacked, or if its checksum is wrong.
 */
async function* entryBytes(path: string, { entry }: ArchiveEntry): AsyncGenerator<Uint8Array> {
  let checksum = 0;
  try {
    const zip = await openPromise(path, { decodeStrings: false, autoClose: false });
    try {
      const stream: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry);
      for await (const chunk of stream) {
        checksum = crc32(chunk, checksum);
        yield chunk;
      }
    } finally {
      zip.close();
    }
  } catch (error) {
    throw new DamagedEntryError('unpacking failed', { cause: error });
  }
  if (checksum !== entry.crc32) {
    throw new DamagedEntryError('the checksum is wrong');
  }
}

/** Returns a source that ends at the point where the given source is damaged. Calls `onDamage` at the damaged point. */
export const upToDamage = (source: Source, onDamage: () => void): Source => ({
  path: source.path,
  bytes: () => bytesOf(source, onDamage),
  sibling: (relativePath) => {
    const sibling = source.sibling(relativePath);
    return sibling === undefined ? undefined : upToDamage(sibling, onDamage);
  },
});

async function* bytesOf(source: Source, onDamage: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* source.bytes();
  } catch (error) {
    if (!(error instanceof DamagedEntryError)) {
      throw error;
    }
    onDamage();
  }
}
