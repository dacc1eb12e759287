import { type Entry, openPromise, type ZipFile } from 'yauzl';

import { UnreadableFileError } from '../../transfer.errors.js';

/** A file within a ZIP, by what the archive says of it. */
export interface ArchiveEntry {
  /** A label: it is never used as a path. */
  readonly name: string;
  /** Its place in the archive, by which it is found again. */
  readonly index: number;
  readonly entry: Entry;
}

/** Omnivore lays two files into its archive for each article; nobody has 100,000 of them. */
const MAX_ENTRIES = 200_000;
/** What the list of them takes, which is held in memory. */
const MAX_LIST_BYTES = 64 * 1024 ** 2;
/** What is unpacked in all. A million rows are 200 MB. */
const MAX_TOTAL_BYTES = 8 * 1024 ** 3;
/** Exports shrink to a tenth, or a thirtieth; deflate could make a thousandth of nothing but zeros. */
const MAX_RATIO = 200;
/** Below this the ratio says nothing, and does no harm. */
const RATIO_FROM_BYTES = 10 * 1024 ** 2;

const ENCRYPTED = 'The ZIP is encrypted: unpack it and import what it holds.';
const BROKEN = 'The ZIP is broken, or was not downloaded to its end.';
const BOMB = 'The ZIP would unpack to more than any export can be.';
const CONTROL = /\p{Cc}/gu;

/** The files of a ZIP. What cannot be read to its end, or would fill a machine, is refused as a whole. */
export async function entriesOf(path: string): Promise<readonly ArchiveEntry[]> {
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
    // Names are labels: no name makes an archive unreadable.
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

/** Windows writes backslashes. */
const nameOf = (entry: Entry): string =>
  entry.fileNameRaw.toString('utf8').replaceAll('\\', '/').replaceAll(CONTROL, ' ');
