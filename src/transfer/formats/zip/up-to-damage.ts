import type { Source } from '../source.js';
import { DamagedEntryError } from './entry-bytes.js';

/** An entry that seems to end where it is damaged, which is told: what comes before can be read as usual. */
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
