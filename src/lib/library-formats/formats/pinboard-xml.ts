import { xmlFormat } from '../reading/xml-format.js';
import { mark, rootMark } from '../recognition.js';
import { PINBOARD_LEFT_OUT, pinboardItem } from './pinboard.js';

/** The format of responses from the API method `posts/all` of Pinboard and of the older service Delicious. */
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
