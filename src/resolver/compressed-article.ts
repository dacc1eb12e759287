import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);
/** A fifth larger than the best, in a tenth of its time. */
const QUALITY = 5;
/** Far beyond what extraction lets through. */
const MAX_BYTES = 50_000_000;

/** An article as it is stored. */
export const compressedArticle = (html: string): Promise<Buffer> =>
  compress(html, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });

/** The HTML of a stored article. */
export const articleText = async (stored: Buffer): Promise<string> =>
  (await decompress(stored, { maxOutputLength: MAX_BYTES })).toString();
