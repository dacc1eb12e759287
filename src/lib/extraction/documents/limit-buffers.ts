/**
 * The maximum size of a byte buffer. A growing buffer doubles its size, but the unpacked streams of ordinary documents
 * are far smaller.
 */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Limits the size of byte buffers in this thread. Allocating a larger buffer throws a RangeError. The limit is
 * necessary because the resource limits of a thread only count objects, and the PDF parser can unpack 1.5 MB to 1.5 GB.
 */
export function limitBuffers(maxBytes = MAX_BYTES): void {
  // Without DecompressionStream, the PDF parser unpacks into one growing buffer, which the limit covers. With
  // DecompressionStream, it would unpack into pieces that no limit counts.
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
