import { dirname, join } from 'node:path/posix';

import type { Source } from '../source.js';
import { type ArchiveEntry, entriesOf } from './archive-entries.js';
import { entryBytes } from './entry-bytes.js';

/** What may hold saved pages. Omnivore lays the text of every article into `content/`. */
const CANDIDATE = /\.(?:csv|json|jsonl|ndjson|html?|txt|zip)$/i;
const PASSED_OVER = /(?:^|\/)(?:__MACOSX|content|\.[^./][^/]*)(?:\/|$)/;

/** Within a folder `part_10` comes after `part_9`. */
const { compare } = new Intl.Collator('en', { numeric: true });

/** The files of a ZIP that may be exports: those that lie higher first, then by name. The order is always the same. */
export async function archiveSources(path: string): Promise<readonly Source[]> {
  const entries = await entriesOf(path);
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  return entries
    .filter(({ name }) => CANDIDATE.test(name) && !PASSED_OVER.test(name))
    .sort(inReadingOrder)
    .map((entry) => sourceOf(path, entry, byName));
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
