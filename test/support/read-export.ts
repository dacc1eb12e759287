import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ImportRow, ItemToImport, RefusedRow } from '../../src/lib/library-formats/format.js';
import {
  NotImportedFields,
  type NotImportedReport,
} from '../../src/lib/library-formats/not-imported.js';
import { readFile } from '../../src/lib/library-formats/read-file.js';
import { aZip, type ZipPart } from './a-zip.js';

export interface ReadExport {
  readonly format: string;
  readonly rows: readonly ImportRow[];
  /** The items without their folders. */
  readonly items: readonly ItemToImport[];
  /** The paths of the folders of each item. */
  readonly folders: readonly (readonly string[])[];
  readonly refusals: readonly RefusedRow[];
  /** Fields that are not imported. */
  readonly notImported: NotImportedReport;
}

const FIXTURES = 'test/fixtures/exports';

/** Reads a fixture file. */
export const readFixture = (name: string): Promise<ReadExport> => readPath(join(FIXTURES, name));

/** Reads a file with this content. Its name does not reveal the format. */
export async function readContent(content: string | Uint8Array): Promise<ReadExport> {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-content-'));
  try {
    const path = join(folder, 'upload');
    writeFileSync(path, content);
    return await readPath(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the files of a fixture folder as ZIP parts. */
export const partsIn = (name: string): readonly ZipPart[] =>
  readdirSync(join(FIXTURES, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({
      name: path.slice(join(FIXTURES, name).length + 1),
      content: readFileSync(path),
    }));

export const readZip = (parts: readonly ZipPart[]): Promise<ReadExport> => readContent(aZip(parts));

async function readPath(path: string): Promise<ReadExport> {
  const file = await readFile(path);
  const rows: ImportRow[] = [];
  const notImported = new NotImportedFields();
  for await (const row of file.rows(notImported)) {
    rows.push(row);
  }
  const read = rows
    .flatMap((row) => ('item' in row ? [row.item] : []))
    .map(({ folders, ...item }) => ({ item, paths: folders?.paths ?? [] }));
  return {
    format: file.format,
    rows,
    items: read.map(({ item }) => item),
    folders: read.map(({ paths }) => paths),
    refusals: rows.flatMap((row) => ('reason' in row ? [row] : [])),
    notImported: notImported.report(),
  };
}
