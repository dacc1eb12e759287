import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);
/**
 * The quality level of the Brotli compression. Compared with the highest level, the result is a fifth larger, but
 * compressing takes a tenth of the time.
 */
const QUALITY = 5;
/**
 * The maximum number of bytes of a text after decompression. Stored texts are much smaller, because articles and other
 * texts have lower limits before they are stored.
 */
const MAX_BYTES = 50_000_000;

/** Compresses a text with Brotli before it is stored, for example an article or a page that a client sent. */
export const compressedText = (text: string): Promise<Buffer> =>
  compress(text, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });

/** Decompresses a stored text. */
export const decompressedText = async (stored: Buffer): Promise<string> =>
  (await decompress(stored, { maxOutputLength: MAX_BYTES })).toString();
