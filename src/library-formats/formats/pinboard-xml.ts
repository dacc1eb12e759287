import { xmlFormat } from '../reading/xml-format.js';
import { mark } from '../recognition.js';
import { PINBOARD_LEFT_OUT, pinboardItem } from './pinboard.js';

/** An answer of `posts/all` of Pinboard, and of Delicious before it. */
export const pinboardXml = xmlFormat({
  name: 'pinboard-xml',
  recognitions: [
    {
      has: [
        mark('the root element `posts`', /^\s*(?:<\?xml[^>]*>\s*)?<posts[\s>]/),
        mark('posts with `href`', /<post\s[^<>]*\bhref=/),
      ],
    },
  ],
  rowPath: ['posts', 'post'],
  leftOut: PINBOARD_LEFT_OUT,
  itemOf: pinboardItem,
});
