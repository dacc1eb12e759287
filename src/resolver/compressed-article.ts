import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const compress = promisify(brotliCompress);
/** A fifth larger than the best, in a tenth of its time. */
const QUALITY = 5;

/** An article as it is stored. */
export const compressedArticle = (html: string): Promise<Buffer> =>
  compress(html, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });
