/** What a stream of an honest document unpacks to is far below; a buffer that grows doubles. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * From here on no larger buffer of bytes is made in this thread: the code that asks for one gets a RangeError. The limits of
 * a thread count objects alone, and the parser of PDFs, which unpacks 1.5 MB to 1.5 GB, has none of its own.
 */
export function limitBuffers(maxBytes = MAX_BYTES): void {
  // Without it the parser unpacks into one buffer that grows, and not into pieces that are counted nowhere.
  Reflect.deleteProperty(globalThis, 'DecompressionStream');
  globalThis.Uint8Array = new Proxy(Uint8Array, {
    construct(target, values: readonly unknown[], newTarget): object {
      const length = values[0];
      if (typeof length === 'number' && length > maxBytes) {
        throw new RangeError(`A buffer of ${length} bytes is too large.`);
      }
      const made: unknown = Reflect.construct(target, values, newTarget);
      if (made instanceof target) {
        return made;
      }
      throw new TypeError('No buffer was made.');
    },
  });
}
