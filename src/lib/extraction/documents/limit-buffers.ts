/**
 * The maximum size of a byte buffer. The streams in ordinary documents are far smaller when unpacked, even if the
 * buffer doubles its size each time it grows.
 */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Limits the size of byte buffers in this thread. The allocation of a larger buffer throws a RangeError. The resource
 * limits of Node do not count buffers, and the PDF parser could unpack 1.5 MB to 1.5 GB.
 */
export function limitBuffers(maxBytes = MAX_BYTES): void {
  // Without DecompressionStream, the PDF parser unpacks a stream into one buffer, to which the limit applies.
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
