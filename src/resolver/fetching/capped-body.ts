import { type Readable } from 'node:stream';

/** The beginning of a body, read as far as it is needed. */
export class CappedBody {
  readonly #stream: Readable;
  readonly #chunks: AsyncIterator<unknown>;
  readonly #read: Uint8Array[] = [];
  #length = 0;
  #isWhole = false;

  constructor(stream: Readable) {
    this.#stream = stream;
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** The first bytes, fewer only when there are no more. Reads on until it knows whether more follow. */
  async start(bytes: number): Promise<{ body: Uint8Array; isTruncated: boolean }> {
    while (this.#length <= bytes && !this.#isWhole) {
      await this.#readOn();
    }
    const all = Buffer.concat(this.#read);
    return { body: all.subarray(0, bytes), isTruncated: all.length > bytes || !this.#isWhole };
  }

  close(): void {
    this.#stream.on('error', () => undefined).destroy();
  }

  async #readOn(): Promise<void> {
    const next = await this.#chunks.next();
    this.#isWhole = next.done === true;
    const chunk: unknown = next.value;
    if (chunk instanceof Uint8Array) {
      this.#read.push(chunk);
      this.#length += chunk.length;
    }
  }
}
