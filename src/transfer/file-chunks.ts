/** A row of `import_chunks`: large enough that there are few, small enough to be held by many uploads at once. */
const CHUNK_BYTES = 256 * 1024;

/** The same bytes in pieces of one size, the last one smaller. */
export async function* chunksOf(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const bytes of file) {
    waiting.push(bytes);
    size += bytes.length;
    if (size >= CHUNK_BYTES) {
      const whole = Buffer.concat(waiting);
      for (let at = 0; at + CHUNK_BYTES <= whole.length; at += CHUNK_BYTES) {
        yield whole.subarray(at, at + CHUNK_BYTES);
      }
      const rest = whole.subarray(whole.length - (whole.length % CHUNK_BYTES));
      waiting = [rest];
      size = rest.length;
    }
  }
  if (size > 0) {
    yield Buffer.concat(waiting);
  }
}
