import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);
/**
 * The quality of the Brotli compression. Compared to the best quality, the output is a fifth larger, but compression
 * takes a tenth of the time.
 */
const QUALITY = 5;
/** The maximum number of decompressed bytes. Articles and texts from clients have much lower limits. */
const MAX_BYTES = 50_000_000;

/** Compresses a text for storage, such as an article or a page that a client sent. */
export const compressedText = (text: string): Promise<Buffer> =>
  compress(text, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });

/** Decompresses a stored text. */
export const decompressedText = async (stored: Buffer): Promise<string> =>
  (await decompress(stored, { maxOutputLength: MAX_BYTES })).toString();
