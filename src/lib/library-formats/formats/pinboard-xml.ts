import { xmlFormat } from '../reading/xml-format.js';
import { mark, rootMark } from '../recognition.js';
import { PINBOARD_LEFT_OUT, pinboardItem } from './pinboard.js';

/** A response of `posts/all` from Pinboard or, before it, from Delicious. */
export const pinboardXml = xmlFormat({
  name: 'pinboard-xml',
  recognitions: [
    {
      has: [rootMark('posts'), mark('posts with `href`', /<post\s[^<>]*\bhref=/)],
    },
  ],
  rowPath: ['posts', 'post'],
  leftOut: PINBOARD_LEFT_OUT,
  itemOf: pinboardItem,
});
