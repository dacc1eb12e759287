import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);
/** The output is a fifth larger than with the best quality, but takes a tenth of the time. */
const QUALITY = 5;
/** Far above the limits of extraction, and of texts that clients may send. */
const MAX_BYTES = 50_000_000;

/** Compresses a text for storage: an article, or a page that a client sent. */
export const compressedText = (text: string): Promise<Buffer> =>
  compress(text, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });

/** Decompresses a stored text. */
export const decompressedText = async (stored: Buffer): Promise<string> =>
  (await decompress(stored, { maxOutputLength: MAX_BYTES })).toString();
