import { type Readable } from 'node:stream';

const FIRST_CAPACITY = 16_384;

/** The beginning of a body, read as far as it is needed. */
export class CappedBody {
  readonly #stream: Readable;
  readonly #chunks: AsyncIterator<unknown>;
  /** One buffer that grows, however small the chunks are. */
  #read = Buffer.allocUnsafe(FIRST_CAPACITY);
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
    return {
      // A copy of its own, which can be handed to a worker without the rest.
      body: new Uint8Array(this.#read.subarray(0, Math.min(bytes, this.#length))),
      isTruncated: this.#length > bytes || !this.#isWhole,
    };
  }

  close(): void {
    this.#stream.on('error', () => undefined).destroy();
  }

  async #readOn(): Promise<void> {
    const next = await this.#chunks.next();
    this.#isWhole = next.done === true;
    const chunk: unknown = next.value;
    if (chunk instanceof Uint8Array) {
      this.#makeRoomFor(chunk.length);
      this.#read.set(chunk, this.#length);
      this.#length += chunk.length;
    }
  }

  #makeRoomFor(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#read.length) {
      return;
    }
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#read.length * 2));
    larger.set(this.#read.subarray(0, this.#length));
    this.#read = larger;
  }
}
