import { dirname, join } from 'node:path/posix';
import { crc32 } from 'node:zlib';

import { type Entry, openPromise, type ZipFile } from 'yauzl';

import type { Source } from '../format.js';
import { UnreadableFileError } from '../library-formats.errors.js';

/** A file in a ZIP archive, as the central directory of the archive describes it. */
interface ArchiveEntry {
  /** The name of the file. It is only shown to the user, and is never used as a path. */
  readonly name: string;
  /** The position of the file in the central directory of the archive. */
  readonly index: number;
  readonly entry: Entry;
}

/** Thrown if the data of a file in the archive is damaged, so that the file cannot be unpacked completely. */
class DamagedEntryError extends Error {}

/**
 * Matches the names of files that can contain saved pages. A name without an extension matches too, such as Chrome's
 * `Bookmarks`.
 */
const CANDIDATE = /(?:\.(?:csv|json|jsonl|ndjson|html?|txt|xml|md|markdown|zip)|(?:^|\/)[^./]+)$/i;
/**
 * Matches files that are neither imported nor listed in the import report: files of macOS, hidden files, and article
 * texts in Readeck's folder `container/`.
 */
const LEFT_OUT = /(?:^|\/)(?:__MACOSX|bookmarks\/[^/]+\/container|\.[^./][^/]*)(?:\/|$)/;
/**
 * Matches a file name that occurs only in archives of the service Omnivore. Their folder `content/`
 * contains article texts, which are not imported. The highlights in their folder `highlights/` are
 * imported together with the saved pages.
 */
const OF_OMNIVORE = /(?:^|\/)metadata_[^/]*\.json$/i;
const LEFT_OUT_OF_OMNIVORE = /(?:^|\/)(?:content|highlights)\//;
/**
 * The name of the list in an archive that Satchel has exported. The archive also contains pages to read, which are not
 * lists of links, although they have the names of such lists.
 */
const OF_SATCHEL = 'library.jsonl';
/** Matches the pages of an archive of Satchel that contain nothing that the list lacks. */
const LEFT_OUT_OF_SATCHEL = /^(?:articles\/\d+|index)\.html$/;
/** Matches the files of an archive of Satchel that are not imported. */
const NOT_IMPORTED_OF_SATCHEL = /^(pictures|snapshots)\/[\d-]+(\.\w+)$/;
const EXTENSION = /\.[^./]+$/;

/**
 * The maximum number of files in an archive. An archive of Omnivore has two files for each article, and no user has
 * 100,000 articles.
 */
const MAX_ENTRIES = 200_000;
/** The maximum size in bytes of an archive's central directory, which is kept in memory. */
const MAX_LIST_BYTES = 64 * 1024 ** 2;
/**
 * The maximum size in bytes of all files of an archive together, after unpacking. An export with a million rows has 200
 * MB.
 */
const MAX_TOTAL_BYTES = 8 * 1024 ** 3;
/**
 * The maximum compression ratio of a file in the archive. Exports have a ratio of 10 to 30. An attack can reach a ratio
 * of 1,000, because Deflate compresses zeros so well.
 */
const MAX_RATIO = 200;
/**
 * The number of unpacked bytes above which the compression ratio of a file is checked. A smaller file is harmless, even
 * with a high ratio.
 */
const RATIO_FROM_BYTES = 10 * 1024 ** 2;

const ENCRYPTED = 'The ZIP is encrypted: unpack it and import what it holds.';
const BROKEN = 'The ZIP is broken, or was not downloaded to its end.';
const BOMB = 'The ZIP would unpack to more than any export can be.';
const CONTROL = /\p{Cc}/gu;
/**
 * Compares file names by the value of the numbers in the names, so that `part_10` comes after
 * `part_9`.
 */
const { compare } = new Intl.Collator('en', { numeric: true });

interface Archive {
  /**
   * The files that may contain saved pages. They are sorted by depth and then by name, so that each import reads them
   * in the same order.
   */
  readonly sources: readonly Source[];
  /**
   * Patterns, such as `*.png`, of the files that cannot contain saved pages. The import report
   * shows these patterns. Files that are ignored on purpose have no pattern.
   */
  readonly skipped: readonly string[];
}

export async function readArchiveList(path: string): Promise<Archive> {
  const all = await entriesOf(path);
  const byName = new Map(all.map((entry) => [entry.name, entry]));
  const isLeftOut = leftOutOf(all.map(({ name }) => name));
  const entries = all.filter(({ name }) => !LEFT_OUT.test(name) && !isLeftOut(name));
  const isOfSatchel = byName.has(OF_SATCHEL);
  const isSource = (name: string): boolean =>
    CANDIDATE.test(name) && !(isOfSatchel && NOT_IMPORTED_OF_SATCHEL.test(name));
  return {
    sources: entries
      .filter(({ name }) => isSource(name))
      .sort(inReadingOrder)
      .map((entry) => sourceOf(path, entry, byName)),
    skipped: entries
      .filter(({ name }) => !isSource(name))
      .map(({ name }) => patternOf(name, isOfSatchel)),
  };
}

/** Returns a test for the files that are left out of an archive of a certain service. */
function leftOutOf(names: readonly string[]): (name: string) => boolean {
  if (names.includes(OF_SATCHEL)) {
    return (name) => LEFT_OUT_OF_SATCHEL.test(name);
  }
  const isOfOmnivore = names.some((name) => OF_OMNIVORE.test(name));
  return (name) => isOfOmnivore && LEFT_OUT_OF_OMNIVORE.test(name);
}

/** Returns the pattern of a skipped file for the import report, such as `*.png` or `snapshots/*.html`. */
function patternOf(name: string, isOfSatchel: boolean): string {
  const [, folder, extension = ''] = (isOfSatchel && NOT_IMPORTED_OF_SATCHEL.exec(name)) || [];
  return folder === undefined
    ? `*${EXTENSION.exec(name)?.[0].toLowerCase() ?? ''}`
    : `${folder}/*${extension}`;
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
    // If yauzl decoded the names, one invalid name would make it reject the whole archive.
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

/** Returns the name of a file in the archive. Replaces backslashes, which Windows programs write, with slashes. */
const nameOf = (entry: Entry): string =>
  entry.fileNameRaw.toString('utf8').replaceAll('\\', '/').replaceAll(CONTROL, ' ');

/**
 * Yields the unpacked bytes of a file in the archive, but never more bytes than the archive declares for the file.
 * @throws DamagedEntryError if the file cannot be unpacked, or if its checksum is wrong.
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

/**
 * Returns a source that never throws an error for a damaged file. Instead, the source ends early
 * and calls `onDamage`.
 */
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
