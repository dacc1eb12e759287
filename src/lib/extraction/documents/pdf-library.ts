import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';

import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

export type { PDFDocumentProxy as Pdf } from 'pdfjs-dist/legacy/build/pdf.mjs';

const FOLDER = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

/** Nothing of the network, no scripts, and of the files of this machine the tables of the package alone. */
const OPTIONS = {
  isEvalSupported: false,
  useSystemFonts: false,
  disableFontFace: true,
  useWorkerFetch: false,
  isOffscreenCanvasSupported: false,
  enableXfa: false,
  verbosity: 0,
  // What the codes of Chinese, Japanese and Korean fonts mean, where the document does not tell.
  cMapUrl: join(FOLDER, 'cmaps', sep),
  cMapPacked: true,
  standardFontDataUrl: join(FOLDER, 'standard_fonts', sep),
};

/** What the library looks for when it is loaded, and uses for drawing alone. */
const DRAWING = ['DOMMatrix', 'ImageData', 'Path2D'] as const;

/** Undefined for what is no PDF. The bytes stay as they are. */
export async function openPdf(bytes: Uint8Array): Promise<PDFDocumentProxy | undefined> {
  for (const name of DRAWING) {
    if (!(name in globalThis)) {
      Reflect.set(globalThis, name, Object);
    }
  }
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  // A copy: the parser takes possession of what it is given.
  const task = getDocument({ ...OPTIONS, data: new Uint8Array(bytes) });
  return task.promise.catch(async () => {
    await task.destroy();
    return undefined;
  });
}
