import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';

import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

export type { PDFDocumentProxy as Pdf } from 'pdfjs-dist/legacy/build/pdf.mjs';

const FOLDER = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

/**
 * The options of the PDF library. They forbid network access, scripts, and all local files except the tables in the
 * library's own package.
 */
const OPTIONS = {
  isEvalSupported: false,
  useSystemFonts: false,
  disableFontFace: true,
  useWorkerFetch: false,
  isOffscreenCanvasSupported: false,
  enableXfa: false,
  verbosity: 0,
  // The tables of character codes for Chinese, Japanese and Korean fonts, which some PDFs do not contain.
  cMapUrl: join(FOLDER, 'cmaps', sep),
  cMapPacked: true,
  standardFontDataUrl: join(FOLDER, 'standard_fonts', sep),
};

/** Browser globals that the PDF library requires when it is loaded, although it uses them only for drawing. */
const DRAWING = ['DOMMatrix', 'ImageData', 'Path2D'] as const;

/** Opens a PDF, and leaves its bytes unchanged. Returns undefined if the bytes are not a PDF. */
export async function openPdf(bytes: Uint8Array): Promise<PDFDocumentProxy | undefined> {
  for (const name of DRAWING) {
    if (!(name in globalThis)) {
      Reflect.set(globalThis, name, Object);
    }
  }
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  // Passes a copy of the bytes, because the PDF parser transfers the buffer of its input to another thread.
  const task = getDocument({ ...OPTIONS, data: new Uint8Array(bytes) });
  return task.promise.catch(async () => {
    await task.destroy();
    return undefined;
  });
}
