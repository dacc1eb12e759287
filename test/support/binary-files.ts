import { buffer } from 'node:stream/consumers';

import { fromBufferPromise } from 'yauzl';

/** Returns the files of an archive by path, in archive order. Fails if a path occurs twice. */
export async function binaryFiles(archive: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const zip = await fromBufferPromise(archive);
  for await (const entry of zip.eachEntry()) {
    if (files.has(entry.fileName)) {
      throw new Error(`the archive contains ${entry.fileName} twice`);
    }
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  return files;
}
