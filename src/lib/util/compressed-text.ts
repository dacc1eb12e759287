import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);
/** A fifth larger than the best, in a tenth of its time. */
const QUALITY = 5;
/** Far beyond what extraction lets through, and what clients may send. */
const MAX_BYTES = 50_000_000;

/** A text as it is stored: an article, or a page that a client has sent. */
export const compressedText = (text: string): Promise<Buffer> =>
  compress(text, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });

/** The stored text. */
export const decompressedText = async (stored: Buffer): Promise<string> =>
  (await decompress(stored, { maxOutputLength: MAX_BYTES })).toString();
