import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { installedFolder } from '../../../lib/util/version.js';

/** The browser extension as one file for Chromium and Firefox. */
export interface ExtensionZip {
  /** The name of the file, which contains the version of the extension. */
  readonly name: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

const FOLDER = join(installedFolder(), 'extension');

/** Entries without a real time and mode, so the bytes depend only on the content of the files. */
const OF_ANY_TIME = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true, mode: 0o100644 };

/** Packs the browser extension of this installation. The same files always give the same bytes. */
export async function packExtension(): Promise<ExtensionZip> {
  const { ZipFile } = await import('yazl');
  const archive = new ZipFile();
  for (const file of await extensionFiles()) {
    const name = relative(FOLDER, file).replaceAll(sep, '/');
    archive.addBuffer(await readFile(file), name, OF_ANY_TIME);
  }
  archive.end();
  const bytes = await buffer(archive.outputStream);
  const tag = createHash('sha256').update(bytes).digest('base64url');
  return { name: `satchel-extension-${await versionIn()}.zip`, bytes, etag: `"${tag}"` };
}

/** Returns the files that browsers load, in a fixed order. Type declarations are only for developers. */
async function extensionFiles(): Promise<string[]> {
  const entries = await readdir(FOLDER, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.d.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

async function versionIn(): Promise<string> {
  const manifest = await readFile(join(FOLDER, 'manifest.json'), 'utf8');
  return /"version": "(?<version>[\d.]+)"/.exec(manifest)?.groups?.['version'] ?? '';
}
