import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';

import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

export type { PDFDocumentProxy as Pdf } from 'pdfjs-dist/legacy/build/pdf.mjs';

const FOLDER = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

/** Options that forbid network access, scripts, and all local files except the tables of the package. */
const OPTIONS = {
  isEvalSupported: false,
  useSystemFonts: false,
  disableFontFace: true,
  useWorkerFetch: false,
  isOffscreenCanvasSupported: false,
  enableXfa: false,
  verbosity: 0,
  // Tables that map the codes of Chinese, Japanese and Korean fonts to characters, for documents without such tables.
  cMapUrl: join(FOLDER, 'cmaps', sep),
  cMapPacked: true,
  standardFontDataUrl: join(FOLDER, 'standard_fonts', sep),
};

/** Globals that the library expects when it is loaded but only uses for drawing. */
const DRAWING = ['DOMMatrix', 'ImageData', 'Path2D'] as const;

/** Opens a PDF and leaves its bytes unchanged. Returns undefined if the bytes are not a PDF. */
export async function openPdf(bytes: Uint8Array): Promise<PDFDocumentProxy | undefined> {
  for (const name of DRAWING) {
    if (!(name in globalThis)) {
      Reflect.set(globalThis, name, Object);
    }
  }
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  // The parser transfers the buffer of its input to another thread, so it gets a copy.
  const task = getDocument({ ...OPTIONS, data: new Uint8Array(bytes) });
  return task.promise.catch(async () => {
    await task.destroy();
    return undefined;
  });
}
