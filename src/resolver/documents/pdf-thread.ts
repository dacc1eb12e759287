import { startThreads } from '../extraction/extraction-threads.js';
import { workerFile } from '../extraction/worker-file.js';
import type { DocumentFacts } from './document-facts.js';

const WORKER = new URL('./describe-pdf.worker.js', import.meta.url);
const LIMITS = { threads: 1, heapMb: 256 } as const;
const LIMIT_MS = 8000;

/** Reads PDFs, one at a time; a file that is too much for the thread says nothing of itself. */
export class PdfThread {
  private readonly thread = startThreads<Uint8Array, DocumentFacts>(LIMITS, workerFile(WORKER));

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
