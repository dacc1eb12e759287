import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';

import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

export type { PDFDocumentProxy as Pdf } from 'pdfjs-dist/legacy/build/pdf.mjs';

const FOLDER = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

/**
 * Options of the PDF library. They forbid network access, scripts, and all local files except the tables of the
 * package.
 */
const OPTIONS = {
  isEvalSupported: false,
  useSystemFonts: false,
  disableFontFace: true,
  useWorkerFetch: false,
  isOffscreenCanvasSupported: false,
  enableXfa: false,
  verbosity: 0,
  // Tables that map the character codes of Chinese, Japanese and Korean fonts, for documents without such tables.
  cMapUrl: join(FOLDER, 'cmaps', sep),
  cMapPacked: true,
  standardFontDataUrl: join(FOLDER, 'standard_fonts', sep),
};

/** Globals that the PDF library expects when it is loaded, but uses only for drawing. */
const DRAWING = ['DOMMatrix', 'ImageData', 'Path2D'] as const;

/** Opens a PDF without changing its bytes. Returns undefined if the bytes are not a PDF. */
export async function openPdf(bytes: Uint8Array): Promise<PDFDocumentProxy | undefined> {
  for (const name of DRAWING) {
    if (!(name in globalThis)) {
      Reflect.set(globalThis, name, Object);
    }
  }
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  // The parser gets a copy of the bytes, because it transfers the buffer of its input to another thread.
  const task = getDocument({ ...OPTIONS, data: new Uint8Array(bytes) });
  return task.promise.catch(async () => {
    await task.destroy();
    return undefined;
  });
}
