import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Piscina } from 'piscina';

import type { DocumentFacts } from './document-facts.js';

const COMPILED = fileURLToPath(new URL('./describe-pdf.worker.js', import.meta.url));
/** Tests run the source, and threads what was built of it. */
const WORKER = existsSync(COMPILED)
  ? COMPILED
  : COMPILED.replace(`${sep}src${sep}resolver${sep}`, `${sep}dist${sep}src${sep}resolver${sep}`);

const LIMIT_MS = 8000;
const MAX_WAITING = 20;

/** Reads PDFs, one at a time; a file that is too much for the thread says nothing of itself. */
export class PdfThread {
  private readonly thread = new Piscina<Uint8Array, DocumentFacts>({
    filename: WORKER,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 30_000,
    maxQueue: MAX_WAITING,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });

  async describe(bytes: Uint8Array): Promise<DocumentFacts> {
    try {
      return await this.thread.run(bytes, { signal: AbortSignal.timeout(LIMIT_MS) });
    } catch {
      return {};
    }
  }

  async close(): Promise<void> {
    await this.thread.destroy();
  }
}
