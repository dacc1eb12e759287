import { isUtf8 } from 'node:buffer';

import busboy from 'busboy';

import { MalformedBodyError } from '../../common/common.errors.js';
import { MAX_PAIRS, type Pair } from './form-pairs.js';
import { TooManyError } from './request.errors.js';

/** The fields of a multipart body that was read whole. A file is refused: no endpoint takes one. */
export async function multipartPairs(bytes: Buffer, contentType: string): Promise<readonly Pair[]> {
  if (!isUtf8(bytes)) {
    throw new MalformedBodyError('The body is not valid UTF-8.');
  }
  const pairs: Pair[] = [];
  await new Promise<void>((resolve, reject) => {
    parserOf(contentType, bytes.length)
      .on('field', (name, value) => pairs.push([name, value]))
      .on('file', () => {
        reject(new MalformedBodyError('Files are not accepted.'));
      })
      .on('partsLimit', () => {
        reject(new TooManyError('members', MAX_PAIRS));
      })
      .on('error', () => {
        reject(new MalformedBodyError('The multipart body is malformed.'));
      })
      .on('close', resolve)
      .end(bytes);
  });
  return pairs;
}

function parserOf(contentType: string, fieldSize: number): busboy.Busboy {
  try {
    return busboy({
      headers: { 'content-type': contentType },
      defParamCharset: 'utf8',
      limits: { parts: MAX_PAIRS, fieldSize },
    });
  } catch {
    throw new MalformedBodyError('The multipart body has no boundary.');
  }
}
