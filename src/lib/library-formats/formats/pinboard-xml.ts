import { xmlFormat } from '../reading/xml-format.js';
import { mark, rootMark } from '../recognition.js';
import { PINBOARD_LEFT_OUT, pinboardItem } from './pinboard.js';

/** The format of responses of the method `posts/all` of Pinboard and of its predecessor Delicious. */
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
