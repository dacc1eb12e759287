import { text } from 'node:stream/consumers';

import { fromBufferPromise } from 'yauzl';

/** Returns the texts of an archive by path, in archive order. */
export async function unzipped(archive: Buffer): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  const zip = await fromBufferPromise(archive);
  for await (const entry of zip.eachEntry()) {
    files[entry.fileName] = await text(await zip.openReadStreamPromise(entry));
  }
  return files;
}
